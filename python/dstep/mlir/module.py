"""Contexts and modules."""
import dataclasses
import re
import weakref

from . import _library, upstream
from ._library import library, printed, string
from .operation import Collective, Operation, Step

_SEVERITIES = ("error", "warning", "note", "remark")
_PLACE = re.compile(r'loc\((?:"[^"]*"\()*"([^"]*)":(\d+):(\d+)')


@dataclasses.dataclass
class Diagnostic:
    """A diagnostic of MLIR: `severity` is 'error', 'warning', 'note' or 'remark'; without a place, line is 0."""

    severity: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    notes: list = dataclasses.field(default_factory=list)

    def __str__(self):
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        return f"{place}{self.severity}: {self.message}"


class MlirError(RuntimeError):
    """MLIR refused a text, a pipeline or a module. `diagnostics` holds all that it reported, the first of which is the
    message."""

    def __init__(self, otherwise, diagnostics):
        errors = [each for each in diagnostics if each.severity == "error"]
        super().__init__(str(errors[0]) if errors else otherwise)
        self.diagnostics = diagnostics


class Context:
    """An MLIR context with ds and upstream's dialects. `on_diagnostic`, if given, is called with each Diagnostic that
    fails nothing (warnings, remarks)."""

    def __init__(self, on_diagnostic=None, allow_unregistered=False):
        calls = library()
        registry = calls.mlirDialectRegistryCreate()
        calls.mlirRegisterAllDialects(registry)
        calls.mlirDsRegisterDialect(registry)
        self.handle, self.on_diagnostic = calls.mlirContextCreateWithRegistry(registry, False), on_diagnostic
        calls.mlirDialectRegistryDestroy(registry)
        calls.mlirContextSetAllowUnregisteredDialects(self.handle, allow_unregistered)
        weakref.finalize(self, calls.mlirContextDestroy, self.handle)

    @classmethod
    def of(cls, theirs, on_diagnostic=None):
        """Returns the context of upstream's bindings, which share() has given this library."""
        context = cls.__new__(cls)
        context.handle, context.on_diagnostic, context.theirs = upstream.handle_of(theirs,
                                                                                   "Context"), on_diagnostic, theirs
        return context

    def call(self, otherwise, function, *arguments):
        """Returns what a function of the library returns, and reports MLIR's diagnostics; raises MlirError if it
        returns null or a failure."""
        calls, reported = library(), []
        callback = _library.DiagnosticCallback(lambda diagnostic, _: reported.append(_read(calls, diagnostic)) or 1)
        attached = calls.mlirContextAttachDiagnosticHandler(self.handle, callback, None, None)
        try:
            result = function(*arguments)
        finally:
            calls.mlirContextDetachDiagnosticHandler(self.handle, attached)
        if not result:
            raise MlirError(otherwise, reported)
        if self.on_diagnostic:
            for each in reported:
                self.on_diagnostic(each)
        return result

    def attribute(self, text):
        """Returns the handle of an attribute as MLIR writes it."""
        return self.call(f"'{text}' is no attribute", library().mlirAttributeParseGet, self.handle, string(text))


def _destroy(handle, _context):
    """Ends a module; the context, an argument, lives until then in cycles, too."""
    library().mlirModuleDestroy(handle)


def _read(calls, diagnostic):
    place = _PLACE.search(printed(calls.mlirLocationPrint, calls.mlirDiagnosticGetLocation(diagnostic)).decode())
    notes = [_read(calls, calls.mlirDiagnosticGetNote(diagnostic, i))
             for i in range(calls.mlirDiagnosticGetNumNotes(diagnostic))]
    message = printed(calls.mlirDiagnosticPrint, diagnostic).decode()
    severity = _SEVERITIES[calls.mlirDiagnosticGetSeverity(diagnostic)]
    return Diagnostic(severity, message, *((place[1], int(place[2]), int(place[3])) if place else ()), notes=notes)


class Module:
    """A module, which its context outlives."""

    def __init__(self, handle, context):
        self.handle, self.context = handle, context
        weakref.finalize(self, _destroy, handle, context)

    @classmethod
    def parse(cls, text, context=None):
        """Reads a module: a str, or bytes of text or bytecode."""
        context = context or Context()
        return cls(context.call("the text is no module of MLIR", library().mlirModuleCreateParse, context.handle,
                                string(text)), context)

    @classmethod
    def read(cls, path, context=None):
        """Reads the module in a file, by whose name locations call it."""
        context = context or Context()
        parse = library().mlirModuleCreateParseFromFile
        return cls(context.call(f"'{path}' is no module of MLIR", parse, context.handle, string(str(path))), context)

    @classmethod
    def of(cls, theirs, on_diagnostic=None):
        """Returns the module of upstream's bindings itself, which share() has given this library."""
        module = cls.__new__(cls)
        module.handle, module.theirs = upstream.handle_of(theirs, "Module"), theirs
        module.context = Context.of(theirs.context, on_diagnostic)
        return module

    @property
    def operation(self):
        return Operation(library().mlirModuleGetOperation(self.handle), self)

    def walk(self):
        """Returns all operations inside, those of regions after the operation around them."""
        return self.operation.walk()[1:]

    def step(self, name=None):
        """Returns the function of this name; without one, the only function that is not private."""
        functions = [each for each in self.walk() if each.name == "func.func"]
        named = {each.symbol: each for each in functions}
        if name is None:
            public = [each for each in functions if each.attributes.get("sym_visibility") != '"private"']
            if len(public) != 1:
                raise ValueError(f"the module has {len(public)} public functions, expected one; name the step")
            return Step(public[0].handle, self)
        if name not in named:
            raise ValueError(f"there is no function '{name}', expected one of {', '.join(sorted(named))}")
        return Step(named[name].handle, self)

    def set_config(self, keys):
        """Sets the configuration, ds.config: keys as the option config= of a pass has them."""
        attribute = self.context.call(f"'{keys}' is no configuration", library().mlirDsConfigAttrGet,
                                      self.context.handle, string(keys))
        library().mlirOperationSetAttributeByName(self.operation.handle, string("ds.config"), attribute)
        return self

    def run(self, pipeline):
        """Runs passes, as --pass-pipeline of mlir-opt has them; `builtin.module(..)` around them may be left out. A
        module that a pass has refused is in no defined state."""
        calls, problems = library(), []
        whole = pipeline if pipeline.startswith("builtin.module(") else f"builtin.module({pipeline})"
        manager = calls.mlirPassManagerCreate(self.context.handle)
        try:
            callback = _library.StringCallback(lambda text, _: problems.append(text.decoded()))
            if not calls.mlirParsePassPipeline(calls.mlirPassManagerGetAsOpPassManager(manager), string(whole),
                                               callback, None):
                # without the text, which MLIR prints after it
                reason = "".join(problems).partition("error: ")[2].partition("\n")[0]
                raise MlirError(reason or f"'{pipeline}' is no pipeline", [])
            self.context.call(f"'{pipeline}' fails", calls.mlirPassManagerRunOnOp, manager, self.operation.handle)
        finally:
            calls.mlirPassManagerDestroy(manager)
        return self

    def verify(self):
        self.context.call("the module is not valid", library().mlirOperationVerify, self.operation.handle)
        return self

    def collectives(self):
        """Returns the collectives of ds in the order of the program: the plan of a distributed step."""
        return [Collective(each.handle, self)
                for each in self.walk() if library().mlirOperationIsADsCollective(each.handle)]

    def bytecode(self):
        return printed(library().mlirOperationWriteBytecode, self.operation.handle)

    def __str__(self):
        return str(self.operation)
