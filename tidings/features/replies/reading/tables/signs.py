"""Emoji, which belong to no language."""

YES = "👍✅✔☑👌💯🫡🙋"
NO = "👎❌🚫✖🙅⛔🆖"
MAYBE = "🤞🤔🤷"
