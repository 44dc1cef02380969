"""Receive Tidings webhooks with Django: each post is verified, each event is handled once.

A whole project in one file. In yours, the view goes to an app, and `seen` becomes a model whose
webhook id is unique, created in the transaction that does the work.
"""

import os
import sys
import threading

from django.conf import settings
from django.core.management import execute_from_command_line
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from tidings_client import webhooks

SECRET = os.environ["TIDINGS_WEBHOOK_SECRET"]

settings.configure(
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["127.0.0.1", "localhost"],
    SECRET_KEY=os.environ.get("DJANGO_SECRET_KEY") or os.urandom(32).hex(),
    DATA_UPLOAD_MAX_MEMORY_SIZE=1_000_000,
)

seen: set[str] = set()
one_at_a_time = threading.Lock()  # the development server answers in threads


@csrf_exempt  # the signature says who posts; there is no form and no session
@require_POST
def receive(request: HttpRequest) -> HttpResponse:
    try:
        event = webhooks.verify(request.body, request.headers, SECRET)  # body: the raw bytes
    except webhooks.WebhookVerificationError as refused:
        return HttpResponse(refused.message, status=400, content_type="text/plain")
    with one_at_a_time:
        if event.id not in seen:
            # An exception is answered with 500, and Tidings posts the event again. What takes
            # longer than a second or two belongs into a queue: the answer must come within ten.
            handle(event)
            seen.add(event.id)
    return HttpResponse(status=204)


def handle(event: webhooks.Event) -> None:
    if event.type == "guest.confirmed":
        print(f"{event.data.from_} comes")
    print(f"handled {event.type} {event.id}", flush=True)


urlpatterns = [path("hooks", receive)]
application = get_wsgi_application()

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
