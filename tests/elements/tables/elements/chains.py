from clickbpf.vocabulary.library import Library


class Chains(Library.standard().find("AggregateIPFlows")):
    """for tests: how long searches in the library's hash tables get"""

    ports = "0/0"

    headers = Library.standard().find("ARPTable").headers

