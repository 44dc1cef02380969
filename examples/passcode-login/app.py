"""Sign in by a one-time passcode: ask for a number, send a code to it, check the code once."""

import hmac
import os
import secrets
import time
from dataclasses import dataclass

from flask import Flask, redirect, render_template_string, request, session

from tidings_client import Tidings, TidingsError

CODE_SECONDS = 300
TRIES_MAX = 5
PAUSE_SECONDS = 30  # between two codes to one number: each of them costs a message
SHOW_CODE = os.environ.get("SHOW_CODE") == "1"  # the sandbox's phone shows dots; never set it live

PAGE = """<!doctype html><title>Sign in</title><meta name=viewport content=width=device-width>
<main style="max-width:24rem;margin:4rem auto;font:1rem system-ui">
{% if problem %}<p role=alert>{{ problem }}</p>{% endif %}
{% if number %}<p>Signed in as {{ number }}.</p>
<form method=post action=/leave><button>Sign out</button></form>
{% elif waiting %}<form method=post action=/check><label>The code that we sent you
<input name=code inputmode=numeric autocomplete=one-time-code autofocus></label>
<button>Sign in</button></form><p><a href="/?again=1">Another number, or a new code</a></p>
{% else %}<form method=post action=/code><label>Your WhatsApp number, with country code
<input name=number type=tel autocomplete=tel placeholder="972501234567" autofocus></label>
<button>Send me a code</button></form>{% endif %}</main>"""


@dataclass
class Login:
    number: str
    code: str
    expires: float
    tries: int = 0


app = Flask(__name__)
app.secret_key = os.environ.get("SESSION_SECRET") or secrets.token_bytes(32)
app.config["SESSION_COOKIE_SAMESITE"] = "Lax"  # no other site can post our forms
tidings = Tidings()  # TIDINGS_API_KEY and TIDINGS_URL
logins: dict[str, Login] = {}  # several processes share a database instead
sent: dict[str, float] = {}  # when a number got its last code


@app.get("/")
def show(problem: str = "", status: int = 200) -> tuple[str, int]:
    if request.args.get("again"):
        logins.pop(session.pop("login", ""), None)
    waiting = session.get("login") in logins
    number = session.get("number")
    return render_template_string(PAGE, number=number, waiting=waiting, problem=problem), status


@app.post("/code")
def send_code():
    number = "".join(filter(str.isdigit, request.form["number"]))
    if time.monotonic() - sent.get(number, -PAUSE_SECONDS) < PAUSE_SECONDS:
        return show("A code is on its way. Wait half a minute for another one.", 429)
    login, code = secrets.token_urlsafe(16), f"{secrets.randbelow(1_000_000):06}"
    try:
        # The id makes a retry of this very request harmless. It never holds the code itself.
        result = tidings.messages.send_otp(
            to=number, code=code, ttl_seconds=CODE_SECONDS, client_message_id=f"login-{login}"
        )
    except TidingsError as error:
        app.logger.warning("no code sent: %s", error)
        return show("We cannot send a code to this number.", 400)
    if result.status == "failed":
        return show("This number cannot get our message. Try another one.", 400)
    sent[number] = time.monotonic()
    if SHOW_CODE:
        print(f"the code is {code}", flush=True)
    logins[login] = Login(number, code, time.monotonic() + CODE_SECONDS)
    session["login"] = login
    return redirect("/", 303)


@app.post("/check")
def check_code():
    login = logins.get(session.get("login", ""))
    if login is None or time.monotonic() > login.expires or login.tries >= TRIES_MAX:
        logins.pop(session.pop("login", ""), None)
        return show("This code is no longer valid. Ask for a new one.", 400)
    login.tries += 1
    if not hmac.compare_digest(login.code.encode(), request.form["code"].strip().encode()):
        return show("That is not the code.", 400)
    del logins[session.pop("login")]  # a code works once
    session["number"] = login.number
    return redirect("/", 303)


@app.post("/leave")
def sign_out():
    session.clear()
    return redirect("/", 303)
