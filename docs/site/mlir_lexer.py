"""Colours for MLIR, which Pygments does not know: the tokens of its language reference, without their grammar."""
from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text


class MlirLexer(RegexLexer):
    """Colours of MLIR on the site."""
    name = "MLIR"
    aliases = ["mlir"]
    filenames = ["*.mlir"]
    tokens = {
        "root": [
            (r"\s+", Text),
            (r"//.*?$", Comment.Single),
            (r'"(\\.|[^"\\])*"', String),
            (r"%[\w$.-]+(:\d+|#\d+)?", Name.Variable),
            (r"@([\w$.-]+|\"[^\"]*\")", Name.Function),
            (r"\^[\w$.-]+", Name.Label),
            (r"#[\w$.-]+", Name.Constant),
            (r"![\w$.-]+", Keyword.Type),
            (r"-?(0x[0-9a-fA-F]+|\d+(\.\d*)?([eE][-+]?\d+)?)(?![\w])", Number),
            (words(("true", "false", "dense", "unit", "loc", "attributes", "private", "public", "ins", "outs", "to",
                    "step", "iter_args"), suffix=r"\b"), Keyword),
            (r"\b(tensor|memref|vector|index|none|[su]?i\d+|f\d+|bf16|f8E\w+|complex)\b", Keyword.Type),
            (r"[a-z_]+(\.[a-zA-Z_0-9]+)+", Name.Builtin),  # dialect.operation
            (r"->|==|>=|<=|=", Operator),
            (r"[\[\]{}()<>,:?*+/-]", Punctuation),
            (r"[A-Za-z_$][\w$]*", Name),
            (r".", Text),
        ]
    }
