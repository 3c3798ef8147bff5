"""ask_language_server.py SERVER STEP LINE COLUMN: opens a step as an editor does and prints its diagnostics, and what
the server says of the name at this place (lines and columns from 1): what hovers over it, and where it is defined. The
protocol: microsoft.github.io/language-server-protocol."""
import json
import pathlib
import subprocess
import sys

server, step, line, column = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3]), int(sys.argv[4])
process = subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def send(method, params, number=None):
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params}
                      | ({} if number is None else {"id": number})).encode()
    process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    process.stdin.flush()


def receive():
    length = 0
    while header := process.stdout.readline().strip():
        if header.lower().startswith(b"content-length"):
            length = int(header.split(b":")[1])
    if not length:
        sys.exit("the server ended without an answer")
    return json.loads(process.stdout.read(length))


def ask(method, params, number):
    send(method, params, number)
    return receive()["result"]


ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
send("initialized", {})
send("textDocument/didOpen", {"textDocument": {"uri": step.as_uri(), "languageId": "mlir", "version": 1,
                                               "text": step.read_text()}})
for said in receive()["params"]["diagnostics"]:
    print(f"{said['range']['start']['line'] + 1}: {said['message']}")
place = {"textDocument": {"uri": step.as_uri()}, "position": {"line": line - 1, "character": column - 1}}
hover = ask("textDocument/hover", place, 2)
print("hover:", hover["contents"]["value"] if hover else None)
for found in ask("textDocument/definition", place, 3):
    print("defined in line", found["range"]["start"]["line"] + 1)
ask("shutdown", None, 4)
send("exit", None)
sys.exit(process.wait(30))
