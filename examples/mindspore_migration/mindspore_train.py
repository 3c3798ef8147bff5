"""A data-parallel training as MindSpore's guides write it: msrun --worker_num 2 --local_worker_num 2
mindspore_train.py"""
import mindspore as ms
from mindspore import dataset, nn
from mindspore.communication import get_group_size, get_rank, init

import common

ms.set_context(mode=ms.GRAPH_MODE)
init()
ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True, parameter_broadcast=True,
                             all_reduce_fusion_config=[1, 3])

x, y = common.samples()
shard = dataset.NumpySlicesDataset({"x": x, "y": y}, shuffle=False, num_shards=get_group_size(), shard_id=get_rank())
shard = shard.batch(common.BATCH, drop_remainder=True)

net = nn.SequentialCell(nn.Dense(common.FEATURES, common.HIDDEN), nn.ReLU(), nn.Dense(common.HIDDEN, common.CLASSES))
for name, parameter in net.parameters_and_names():
    parameter.set_data(ms.Tensor(common.initial()[name]))
loss = nn.CrossEntropyLoss()
optimizer = nn.Momentum(net.trainable_params(), common.LEARNING_RATE, common.MOMENTUM, common.WEIGHT_DECAY)

ms.Model(net, loss, optimizer).train(common.EPOCHS, shard, dataset_sink_mode=False)
if get_rank() == 0:
    ms.save_checkpoint(net, "trained.ckpt")
