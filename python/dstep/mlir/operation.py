"""Operations of a module, with the roles of steps and the facts of collectives."""
import re

from ._library import WalkCallback, library, printed, string

_PRE_ORDER, _ADVANCE = 0, 0


class Operation:
    """An operation; it holds its module, whose passes may erase it."""

    def __init__(self, handle, module):
        self.handle, self.module = handle, module

    @property
    def name(self):
        """The operation's name, such as 'ds.all_reduce'."""
        return library().mlirIdentifierStr(library().mlirOperationGetName(self.handle)).decoded()

    @property
    def location(self):
        return printed(library().mlirLocationPrint, library().mlirOperationGetLocation(self.handle)).decode()

    @property
    def operand_types(self):
        calls = library()
        values = [calls.mlirOperationGetOperand(self.handle, i)
                  for i in range(calls.mlirOperationGetNumOperands(self.handle))]
        return [printed(calls.mlirTypePrint, calls.mlirValueGetType(value)).decode() for value in values]

    @property
    def result_types(self):
        calls = library()
        values = [calls.mlirOperationGetResult(self.handle, i)
                  for i in range(calls.mlirOperationGetNumResults(self.handle))]
        return [printed(calls.mlirTypePrint, calls.mlirValueGetType(value)).decode() for value in values]

    @property
    def attributes(self):
        """A copy: each attribute by its name, as MLIR writes it."""
        calls = library()
        named = [calls.mlirOperationGetAttribute(self.handle, i)
                 for i in range(calls.mlirOperationGetNumAttributes(self.handle))]
        return {calls.mlirIdentifierStr(each.name).decoded(): printed(calls.mlirAttributePrint, each.attribute).decode()
                for each in named}

    def set_attribute(self, name, text):
        """Sets an attribute that MLIR writes as `text`; None removes it."""
        if text is None:
            library().mlirOperationRemoveAttributeByName(self.handle, string(name))
        else:
            library().mlirOperationSetAttributeByName(self.handle, string(name), self.module.context.attribute(text))
        return self

    @property
    def symbol(self):
        """The name by which other operations refer to it, or None."""
        name = self.attributes.get("sym_name")
        return name[1:-1] if name else None

    def walk(self):
        """Returns the operation and all inside, each before those of its regions."""
        found = []
        callback = WalkCallback(lambda handle, _: found.append(handle) or _ADVANCE)
        library().mlirOperationWalk(self.handle, callback, None, _PRE_ORDER)
        return [Operation(handle, self.module) for handle in found]

    def __str__(self):
        return printed(library().mlirOperationPrint, self.handle).decode()


class Step(Operation):
    """A function with roles of its arguments and results. Each call returns the step, so that they can be chained."""

    def _set(self, function, number, *values):
        self.module.context.call("the role cannot be set", function, self.handle, number, *values)
        return self

    def set_param(self, argument, name):
        return self._set(library().mlirDsStepSetParam, argument, string(name))

    def set_state(self, argument, name):
        return self._set(library().mlirDsStepSetState, argument, string(name))

    def set_batch(self, argument, name, dimension=0):
        return self._set(library().mlirDsStepSetBatch, argument, string(name), dimension)

    def set_seed(self, argument, name):
        return self._set(library().mlirDsStepSetSeed, argument, string(name))

    def set_name(self, argument, name):
        """Names a value that is neither stored nor samples, such as a learning rate."""
        return self._set(library().mlirDsStepSetName, argument, string(name))

    def set_sharding(self, argument, *dimensions):
        """Sets which axes of the mesh shard each dimension: a name, names, or () for none."""
        lists = [[each] if isinstance(each, str) else list(each) for each in dimensions]
        quoted = ", ".join("{%s}" % ", ".join(f'"{axis}"' for axis in axes) for axes in lists)
        return self._set(library().mlirDsStepSetSharding, argument,
                         self.module.context.attribute(f"#ds.sharding<[{quoted}]>"))

    def set_updates(self, result, name):
        """Marks a result as the new value of a parameter or state."""
        return self._set(library().mlirDsStepSetUpdates, result, string(name))

    def set_metric(self, result, name):
        return self._set(library().mlirDsStepSetMetric, result, string(name))

    def verify_roles(self):
        self.module.context.call("the roles are not valid", library().mlirDsStepVerifyRoles, self.handle)
        return self


class Collective(Operation):
    """A collective of ds."""

    @property
    def bytes(self):
        """The values that it exchanges; None for a barrier or a wait."""
        count = library().mlirDsCollectiveGetBytes(self.handle)
        return None if count < 0 else count

    @property
    def purpose(self):
        """'gradient', 'state', 'metric' or 'activation'."""
        return library().mlirDsCollectiveGetPurpose(self.handle).decoded()

    @property
    def names(self):
        """The parameters or metrics that each operand serves."""
        lists = re.findall(r"\[([^\[\]]*)\]", self.attributes.get("names", ""))
        return [re.findall(r'"([^"]*)"', each) for each in lists if each]
