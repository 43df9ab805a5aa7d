"""The self-test: edges in, prompts and findings out.

`plan` says what there is to test, `course` leads through it and listens, `contact` judges one contact,
`findings` puts together what was heard, `skew` measures time, `report` writes it down. No clock, thread or
pin in here: `companion.app.selftest` gives it those.
"""
