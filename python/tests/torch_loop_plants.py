"""More of torch_plants.py: what hooks, clipping, optimizers and models beside the trained one do in the loop."""
import torch
import torch.nn.functional as F
from torch import nn

from torch_plants import Net, plant, sgd, trained


@plant("calls backward at HERE")
def backward_in_the_loss():
    def loss_fn(model, batch):
        first = F.cross_entropy(model(batch["x"]), batch["y"])
        first.backward()  # HERE
        return F.cross_entropy(model(-batch["x"]), batch["y"])
    return trained(Net(), loss_fn)


@plant(r"calls the step of an optimizer \(Adam\) at HERE")
def another_optimizer_in_the_loss():
    critic = nn.Linear(5, 1)
    other = torch.optim.Adam(critic.parameters())

    def loss_fn(scores, labels):
        gradients = torch.autograd.grad(critic(scores.detach()).mean(), list(critic.parameters()))
        for parameter, gradient in zip(critic.parameters(), gradients):
            parameter.grad = gradient.detach()
        other.step()  # HERE
        return F.cross_entropy(scores, labels)
    return trained(Net(), loss_fn)


@plant("the loop writes .*lr'.* at HERE")
def a_rate_that_the_loss_sets():
    model = Net()
    optimizer = sgd(model)

    def loss_fn(scores, labels):
        optimizer.param_groups[0]["lr"] *= 0.5  # HERE
        return F.cross_entropy(scores, labels)
    return trained(model, loss_fn, optimizer)


@plant("in step 2 the gradient of 'a.weight'.*: a hook is registered on 'a.weight' at HERE")
def a_hook_that_counts():
    model, calls = Net(), []

    def halved(gradient):  # HERE
        calls.append(1)
        return gradient / (1 + len(calls))
    model.a.weight.register_hook(halved)
    return trained(model)


@plant("the post-accumulate hook of 'a.weight' at HERE writes the parameter")
def an_update_in_backward():
    model = Net()

    def update(parameter):  # HERE
        parameter.sub_(0.1 * parameter.grad)
        parameter.grad.zero_()
    model.a.weight.register_post_accumulate_grad_hook(update)
    return trained(model)


@plant("the post-accumulate hook of 'a.weight' at HERE takes the gradient away")
def a_gradient_that_is_taken_away():
    model = Net()

    def take(parameter):  # HERE
        parameter.grad = None
    model.a.weight.register_post_accumulate_grad_hook(take)
    return trained(model)


@plant("the post-accumulate hook of 'a.weight' at HERE cannot be traced.*KeyError")
def an_optimizer_for_each_parameter():
    model = Net()
    each = {p: torch.optim.SGD([p], lr=0.1) for p in model.parameters()}

    def update(parameter):  # HERE
        each[parameter].step()
        each[parameter].zero_grad()
    for p in model.parameters():
        p.register_post_accumulate_grad_hook(update)
    return trained(model)


@plant("in step 1 'b.weight'.*a step post-hook is registered on the optimizer at HERE")
def a_hook_of_the_optimizer_that_knows_the_model():
    model = Net()
    optimizer = sgd(model)

    def clamp(*given):  # HERE
        with torch.no_grad():
            model.b.weight.clamp_(-0.1, 0.1)
    optimizer.register_step_post_hook(clamp)
    return trained(model, optimizer=optimizer)


@plant("the loop writes '.* \\(calls\\)' at HERE, from which something follows, though not in its first steps")
def a_hook_of_the_optimizer_that_counts():
    model, calls = Net(), [0]
    optimizer = sgd(model)

    def stop(optimizer, arguments, options):
        calls[0] += 1  # HERE
        for p in optimizer.param_groups[0]["params"] if calls[0] > 50 else ():
            p.grad.zero_()
    optimizer.register_step_pre_hook(stop)
    return trained(model, optimizer=optimizer)


@plant("the loop writes 'clip .calls.' at HERE, from which something follows, though not in its first steps")
def clipping_that_begins_later():
    calls = [0]

    def clip(parameters):
        calls[0] += 1  # HERE
        nn.utils.clip_grad_norm_(parameters, 0.01 if calls[0] > 50 else 1e9)
    return trained(Net(), clip=clip)


@plant("in step 1 'grad_norm' is 0, the loop has .*: clip at HERE is a function, which a step can call only with the parameters that it is given")
def clipping_of_a_list():
    model = Net()
    kept = list(model.parameters())

    def clip(parameters):  # HERE
        return nn.utils.clip_grad_norm_(kept, 0.1)
    return trained(model, clip=clip)


@plant("clip reads the gradient of 'b.weight', which is in no group of the optimizer, so that nothing clears it")
def clipping_of_what_is_not_trained():
    model = Net()
    return trained(model, optimizer=torch.optim.SGD(model.a.parameters(), lr=0.1), clip=0.1)


@plant("the step writes a tensor at HERE that it does not carry")
def an_averaged_model_outside_of_the_model():
    model = Net()
    averaged = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9))

    def loss_fn(model, batch):
        averaged.update_parameters(model)  # HERE
        return F.cross_entropy(model(batch["x"]), batch["y"])
    return trained(model, loss_fn)


@plant("the step pre-hook of 'SGD' at HERE returns other arguments for step")
def a_hook_of_the_optimizer_that_gives_a_closure():
    model = Net()
    optimizer = sgd(model)

    def closed(optimizer, arguments, options):  # HERE
        return (lambda: None,), {}
    optimizer.register_step_pre_hook(closed)
    return trained(model, optimizer=optimizer)


@plant("the optimizer's step is replaced at HERE")
def a_step_that_is_replaced():
    model = Net()
    optimizer = sgd(model)
    plain = optimizer.step

    def twice():  # HERE
        plain()
        plain()
    optimizer.step = twice
    return trained(model, optimizer=optimizer)


@plant("the step writes a tensor at HERE that it does not carry")
def a_teacher_outside_of_the_model():
    model, teacher = Net(), Net()

    def loss_fn(model, batch):
        with torch.no_grad():
            for kept, own in zip(teacher.parameters(), model.parameters()):
                kept.mul_(0.9).add_(own, alpha=0.1)  # HERE
            wanted = teacher(batch["x"])
        return F.mse_loss(model(batch["x"]), wanted)
    return trained(model, loss_fn)
