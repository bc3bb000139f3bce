"""Proofs about a router's kernel path, by symbolic execution of the bytecode that the kernel runs.

    code.py         the object's instructions
    terms.py        values: numbers, or terms over the packet's bytes
    machine.py      the interpreter, with helpers.py, buffers.py (TC) and the programs' surroundings (worlds.py, settings.py)
    explore.py      all paths of packets through the programs; merging.py merges paths that meet
    solver.py       z3
    questions.py    questions (questions.lark) and answers.py; differences.py compares two routers
    network.py      several routers, connected by cables
    frames.py       patterns and fields of any frame
    replay.py       runs the real programs on a packet that the solver has found
"""
