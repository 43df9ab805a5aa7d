"""The self-test: edges in, prompts and findings out.

`plan` says what there is to test, `course` leads through it and listens, `contact` judges one contact,
`measurements` measures time, `words` says what to do and what was found, `report` writes it down. No clock,
thread or pin in here: `companion.app.selftest` gives it those.
"""
