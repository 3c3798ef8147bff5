"""The least cost of each model of ds-plan --dump-model, by trying every choice."""
import itertools
import json
import sys

for model in json.load(open(sys.argv[1])):
    variables, least = model["variables"], None
    for labels in itertools.product(*(range(len(costs)) for costs in variables)):
        costs = [variables[i][label] for i, label in enumerate(labels)]
        costs += [model["tables"][table][labels[i] * len(variables[j]) + labels[j]] for i, j, table in model["pairs"]]
        if None not in costs and (least is None or sum(costs) < least):
            least = sum(costs)
    print(f"{model['axis']}: least {least}, plan {model['cost']}, bound {model['bound']}")
