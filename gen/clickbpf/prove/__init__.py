"""Proofs about what a router's kernel path does to packets, on the bytecode that the kernel runs.

    code.py         the object's instructions
    terms.py        values: numbers, or terms over the packet's bytes
    machine.py      the interpreter, with helpers.py and what programs find (worlds.py, settings.py)
    explore.py      all ways of packets through the programs; meeting.py makes one of ways that meet
    solver.py       z3
    questions.py    questions (questions.lark) and answers.py; differences.py compares two routers
    frames.py       patterns and fields of any frame
    replay.py       a packet that the solver has found, on the real programs
"""
