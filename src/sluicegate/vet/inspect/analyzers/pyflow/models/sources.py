"""Models of where data comes in: environment, clipboard, screen, keys, clock, the machine, the user."""

from __future__ import annotations

from sluicegate.vet.inspect import capabilities
from sluicegate.vet.inspect.analyzers.pyflow.call import EvaluatedCall
from sluicegate.vet.inspect.analyzers.pyflow.frame import UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.models.tables import method_model, model, quiet
from sluicegate.vet.inspect.analyzers.pyflow.values import NOTHING, PyValue, SourceKind, join


@model("os.environ.get", "os.getenv", "os.environ.pop", "os.environ.setdefault")
def _getenv(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    from sluicegate.vet.inspect.analyzers.pyflow.calls import environment

    return join(environment(frame, call.arg(0, "key"), call.node), call.arg(1, "default"))


@model("os.environ.copy", "os.environ.items", "os.environ.values", "psutil.Process().environ")
def _environment(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    frame.can(capabilities.env("*"), call.node)
    return PyValue(frame.site(SourceKind.ENV_ALL, "os.environ", call.node))


@model("os.environ.update", "os.putenv")
def _environment_set(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    from sluicegate.vet.inspect.analyzers.pyflow.calls import steer

    given = [*(part for value in call.args for part in value.parts), *call.keywords.items()]
    if name == "os.putenv":
        given = [(key, call.arg(1)) for key in call.arg(0).texts]
    for key, value in given:
        steer(frame, key, value, call.node)
    return NOTHING


@model("os.environ.keys", "os.environ.__contains__")
@quiet
def _environment_names(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return NOTHING


@model(
    "tempfile.mkstemp",
    "tempfile.mktemp",
    "tempfile.mkdtemp",
    "tempfile.NamedTemporaryFile",
    "tempfile.TemporaryDirectory",
    "tempfile.SpooledTemporaryFile",
)
@quiet
def _temporary(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """A fresh path, told apart from others by where it is made."""
    path = frame.analysis.temporary(frame.view, call.node)
    if name.endswith("NamedTemporaryFile"):
        return PyValue(
            0,
            (),
            ("tempfile.NamedTemporaryFile()",),
            (("@path", PyValue(0, (path,))), ("name", PyValue(0, (path,)))),
        )
    return PyValue(0, (path,), (name + "()",))


@model(
    "pyperclip.paste",
    "pyperclip.waitForPaste",
    "clipboard.paste",
    "win32clipboard.GetClipboardData",
    "tkinter.Tk().clipboard_get",
    "PIL.ImageGrab.grabclipboard",
)
@quiet
def _clipboard(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return PyValue(frame.site(SourceKind.CLIPBOARD, name, call.node))


@method_model("clipboard_get")
@quiet
def _clipboard_method(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return PyValue(frame.site(SourceKind.CLIPBOARD, "clipboard", call.node))


@model(
    "PIL.ImageGrab.grab",
    "pyautogui.screenshot",
    "mss.mss",
    "pyscreenshot.grab",
    "cv2.VideoCapture",
    "sounddevice.rec",
    "mss.mss().grab",
)
@quiet
def _screen(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return PyValue(frame.site(SourceKind.SCREEN, name, call.node), (), (name + "()",))


@model("input", "getpass.getpass", "sys.stdin.read", "sys.stdin.readline", "sys.stdin.readlines",
    "argparse.ArgumentParser().parse_args",
       "argparse.ArgumentParser().parse_known_args", "click.prompt")  # fmt: skip
@quiet
def _input(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return PyValue(frame.site(SourceKind.INPUT, name.replace("()", ""), call.node))


@method_model("parse_args", "parse_known_args")
@quiet
def _parsed(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return PyValue(frame.site(SourceKind.INPUT, "command line", call.node))


@model(
    "keyring.get_password",
    "browser_cookie3.chrome",
    "browser_cookie3.load",
    "browser_cookie3.firefox",
    "win32crypt.CryptUnprotectData",
    "secretstorage.get_default_collection",
)
@quiet
def _keyring(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    if name != "keyring.get_password":
        return PyValue(frame.site(SourceKind.CREDENTIAL_FILE, name, call.node))
    service = next(iter(call.arg(0, "service_name").texts), "")
    return PyValue(frame.site(SourceKind.ENV_SECRET, f"{name} {service}".strip()[:120], call.node))


@model(
    "datetime.datetime.now",
    "datetime.now",
    "datetime.date.today",
    "date.today",
    "time.time",
    "time.localtime",
    "time.gmtime",
)
@quiet
def _clock(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return PyValue(frame.site(SourceKind.TIME, name, call.node))


@model("datetime.datetime", "datetime.date", "datetime.datetime.strptime", "datetime.datetime.fromisoformat")
@quiet
def _date(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    fixed = bool(call.node.args) and all(
        isinstance(call.constant(i, ""), int | str) for i in range(len(call.node.args))
    )
    return PyValue(call.mask, (), ("fixed-date",) if fixed else ())


@model(
    "socket.gethostname",
    "platform.node",
    "getpass.getuser",
    "os.getlogin",
    "uuid.getnode",
    "socket.getfqdn",
    "os.uname",
)
@quiet
def _machine(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return PyValue(frame.site(SourceKind.HOST_ID, name, call.node))


@model(
    "sys.gettrace",
    "sys.getprofile",
    "ctypes.windll.kernel32.IsDebuggerPresent",
    "ctypes.windll.kernel32.CheckRemoteDebuggerPresent",
)
@quiet
def _debugger(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return PyValue(frame.site(SourceKind.GUARD_ANALYSIS, name, call.node))


@model(
    "pynput.keyboard.Listener",
    "keyboard.on_press",
    "keyboard.hook",
    "keyboard.record",
    "pyHook.HookManager",
    "pynput.mouse.Listener",
)
@quiet
def _keyboard(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """A callback is given every key."""
    from sluicegate.vet.inspect.analyzers.pyflow import calls

    mask = frame.site(SourceKind.KEYS, name, call.node)
    for value in (*call.args, *call.keywords.values()):
        inner = EvaluatedCall(call.node, "callback", value, NOTHING, [PyValue(mask)], {}, NOTHING)
        if value.refs and not all(isinstance(r, str) for r in value.refs):
            calls.invoke(frame, inner)
    return PyValue(mask)
