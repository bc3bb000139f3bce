"""Commands that read and compile."""

import json
import subprocess

import pytest

from clickbpf import __version__
from clickbpf.objects.manifest import Manifest

from .conftest import command, environment


@pytest.fixture
def broken(tmp_path):
    file = tmp_path / "broken.click"
    file.write_text("a :: Idle;\na -> Discrad;\n")
    return file


class TestCheck:
    def test_says_nothing_when_all_is_well(self, clickbpf, cable):
        done = clickbpf("check", str(cable))
        assert (done.status, done.out, done.err) == (0, "", "")

    def test_place_and_hint(self, clickbpf, broken):
        done = clickbpf("check", str(broken))
        assert done.status == 1
        assert done.err.startswith(f"{broken}:2:6: error: undeclared element 'Discrad'\n    a -> Discrad;\n         ^\n")
        assert "hint: did you mean 'Discard'?" in done.err

    def test_json(self, clickbpf, broken):
        done = clickbpf("check", "--json", str(broken))
        (told,) = json.loads(done.out)
        assert done.status == 1
        assert (told["file"], told["line"], told["column"], told["severity"]) == (str(broken), 2, 6, "error")
        assert (told["end_column"], told["fix"]) == (13, {"old": "Discrad", "new": "Discard"})

    def test_missing_file(self, clickbpf):
        done = clickbpf("check", "/nonexistent.click")
        assert (done.status, done.err) == (1, "error: cannot read '/nonexistent.click': No such file or directory\n")

    def test_values_for_variables(self, clickbpf):
        assert clickbpf("check", "-e", "Idle -> Paint($COLOR) -> Discard", "COLOR=3").status == 0
        assert clickbpf("check", "-e", "Idle -> Paint($COLOR) -> Discard", "COLOR=red").status == 1

    def test_a_word_too_many(self, clickbpf, cable):
        done = clickbpf("check", str(cable), "eth0")
        assert (done.status, "'eth0' is one word too many" in done.err) == (1, True)

    def test_several_files(self, clickbpf, cable, tmp_path):
        first, second = tmp_path / "first.click", tmp_path / "second.click"
        first.write_text("Idle -> Strip(x) -> Discard")
        second.write_text("Idle -> Nonesuch -> Discard")
        done = clickbpf("check", str(first), str(cable), str(second))
        assert done.status == 1 and f"{first}:1:15: error: Strip" in done.err and f"{second}:1:9: error: " in done.err
        told = json.loads(clickbpf("check", "--json", str(first), str(cable), str(second)).out)
        assert [each["file"] for each in told] == [str(first), str(second)]

    def test_fix_corrects_what_has_one_correction_and_reports_the_rest(self, clickbpf, tmp_path):
        """A mistake that others hide is mended, too: here the missing Queue."""
        file = tmp_path / "x.click"
        file.write_bytes(
            b"// mine\r\nFromDevice(eth0) - > cnt :: Countr\r\n    -> ToDevice(eth1);\r\nIdle -> ctn; Idle -> Paint(x) -> cnt;\r\n"
        )
        file.chmod(0o640)
        done = clickbpf("check", "--fix", str(file))
        assert file.read_bytes() == (
            b"// mine\r\nFromDevice(eth0) -> cnt :: Counter\r\n    -> Queue -> ToDevice(eth1);\r\nIdle -> cnt; Idle -> Paint(x) -> cnt;\r\n"
        )
        assert done.status == 1 and f"{file}:4:9: 'ctn' is now 'cnt'" in done.err and "4:28: error: Paint" in done.err
        assert file.stat().st_mode & 0o777 == 0o640 and [each.name for each in tmp_path.iterdir()] == ["x.click"]

    def test_fix_leaves_alone_what_is_in_another_file(self, clickbpf, tmp_path):
        """Places after a line directive are another file's, even one of the same name."""
        file = tmp_path / "x.click"
        text = f'# 3 "{file}"\nIdle -> Discrad;\nIdle -> Discard;\n'
        file.write_text(text)
        assert clickbpf("check", "--fix", str(file)).status == 1 and file.read_text() == text
        assert "give a FILE" in clickbpf("check", "--fix", "-e", "Idle -> Discrad").err

    def test_own_element_classes(self, clickbpf, tmp_path):
        (tmp_path / "mine.py").write_text(
            "from clickbpf.declare import Element\n"
            "class Mine(Element):\n    '''mine'''\n    ports = '0/0'\n"
        )
        assert clickbpf("check", "-e", "Mine").status == 1
        assert clickbpf("check", "-E", str(tmp_path), "-e", "Mine").status == 0

    def test_reads_standard_input(self):
        done = subprocess.run(command("check"), input="Idle -> Discrad", capture_output=True, text=True, env=environment())
        assert (done.returncode, done.stderr.startswith("<stdin>:1:9: error: ")) == (1, True)


class TestPrinting:
    def test_flatten(self, clickbpf):
        done = clickbpf("flatten", "-e", "a :: Idle -> { input -> Null -> output } -> Discard")
        assert "/Null@1" in done.out and "{" not in done.out

    def test_flatten_json(self, clickbpf):
        plain = json.loads(clickbpf("flatten", "--json", "-e", "a :: Idle -> [0] b :: Discard").out)
        assert plain["connections"] == [{"from": "a", "output": 0, "to": "b", "input": 0}]
        assert [e["class"] for e in plain["elements"]] == ["Idle", "Discard"]

    def test_pretty_keeps_compounds(self, clickbpf):
        assert "{" in clickbpf("pretty", "-e", "a::Idle->{input->Null->output}->Discard").out

    def test_pretty_is_settled(self, clickbpf, tmp_path):
        first = clickbpf("pretty", "-e", "elementclass X{$a|input->Paint($a)->output}a::Idle->X(1)->Discard;").out
        (tmp_path / "x.click").write_text(first)
        assert clickbpf("pretty", str(tmp_path / "x.click")).out == first

    def test_plan(self, clickbpf, cable):
        lines = clickbpf("plan", str(cable)).out.splitlines()
        row = next(line.split() for line in lines if line.startswith("c "))
        assert row[:3] == ["c", "Counter", "xdp"]

    def test_plan_compiles_classes_of_ones_own(self, clickbpf, tmp_path):
        """Mistakes in their C are found before anything is loaded."""
        (tmp_path / "mine.py").write_text("from clickbpf.declare import Element\nclass Mine(Element):\n    'mine'\n")
        text = "FromDevice(eth0) -> Mine -> Discard"
        (tmp_path / "mine.c").write_text("ELEMENT(Mine)\n{\n\treturn OUTPUT(0)\n}\n")
        refused = clickbpf("plan", "-E", str(tmp_path), "-e", text)
        assert refused.status == 1 and "mine.c:3" in refused.err and "expected ';'" in refused.err
        (tmp_path / "mine.c").write_text("ELEMENT(Mine)\n{\n\treturn OUTPUT(0);\n}\n")
        assert clickbpf("plan", "-E", str(tmp_path), "-e", text).status == 0

    def test_plan_json_and_choices(self, clickbpf, cable):
        plain = json.loads(clickbpf("plan", "--json", "--user", "c", str(cable)).out)
        assert {e["name"]: e["where"] for e in plain["elements"]}["c"] == "user"
        assert plain["devices"] == ["eth0", "eth1"]

    def test_plan_keeps_elements_for_user_space(self, clickbpf):
        text = "FromDevice(a) -> n :: Null -> Queue -> ToDevice(b);"
        plain = json.loads(clickbpf("plan", "--json", "-O", "1", "--user", "n", "-e", text).out)
        assert {e["name"]: e["where"] for e in plain["elements"]}["n"] == "user"

    def test_plan_of_an_element_that_is_not_there(self, clickbpf, cable):
        done = clickbpf("plan", "--user", "nosuch", str(cable))
        assert (done.status, done.err) == (1, "error: --user: there is no element 'nosuch'\n")

    def test_output_that_nobody_reads(self, cable):
        done = subprocess.run(
            f"{' '.join(command('elements'))} | head -1", shell=True, capture_output=True, text=True, env=environment()
        )  # fmt: skip
        assert done.stderr == ""


@pytest.mark.needs("clang-19")
class TestBuild:
    def test_object_describes_itself(self, clickbpf, cable, tmp_path):
        made = tmp_path / "made.o"
        assert clickbpf("build", "-o", str(made), str(cable)).status == 0
        manifest = Manifest.from_object(made.read_bytes())
        assert manifest.devices == ("eth0", "eth1")
        done = clickbpf("info", "--json", str(made))
        assert json.loads(done.out)["hash"] == manifest.hash
        assert "xdp_eth0" in clickbpf("info", str(made)).out

    def test_chain_makes_a_program_for_each_element(self, clickbpf, cable, tmp_path):
        made = tmp_path / "made.o"
        clickbpf("build", "--chain", "-o", str(made), str(cable))
        assert [p.jump is None for p in Manifest.from_object(made.read_bytes()).programs].count(False) > 0

    def test_c_text_compiles_elsewhere(self, clickbpf, cable):
        text = clickbpf("build", "--emit-c", str(cable)).out
        assert 'SEC("xdp")' in text and "e_c" in text

    def test_nothing_for_the_kernel(self, clickbpf):
        done = clickbpf("build", "-o", "/nonexistent/x.o", "-e", "Idle -> Discard")
        assert (done.status, "nothing of this configuration runs in the kernel" in done.err) == (1, True)

    def test_directory_that_is_not_there(self, clickbpf, cable):
        done = clickbpf("build", "-o", "/nonexistent/x.o", str(cable))
        assert (done.status, done.err) == (1, "error: cannot write '/nonexistent/x.o': No such file or directory\n")

    def test_info_of_something_else(self, clickbpf, cable):
        done = clickbpf("info", str(cable))
        assert (done.status, "is not an ELF object" in done.err) == (1, True)


class TestLibrary:
    def test_elements(self, clickbpf):
        listed = json.loads(clickbpf("elements", "--json").out)
        none = clickbpf("elements", "Countr")
        assert none.status == 1 and "no class has 'Countr' in its name or summary" in none.err and "did you mean 'Counter'?" in none.err
        assert {"Discard", "FromDevice", "Queue"} <= {element["name"] for element in listed}
        assert all(element["summary"] for element in listed)
        known = {element["name"]: (element["ports"], element["runs"]) for element in listed}
        assert known["DecIPTTL"] == ("1/1-2", ["xdp", "tc", "user"])
        assert known["TimeRange"] == ("1/1", ["user"])
        assert known["AddressInfo"] == ("0/0", [])

    def test_doc_by_alias(self, clickbpf):
        assert clickbpf("doc", "PollDevice").out.startswith("FromDevice – ")

    def test_doc_of_nothing(self, clickbpf):
        done = clickbpf("doc", "Discrad")
        assert (done.status, "did you mean 'Discard'?" in done.err) == (1, True)


class TestUsage:
    @pytest.mark.parametrize("words", [(), ("nosuch",), ("load", "--mode", "fast"), ("info",)])
    def test_wrong_usage(self, clickbpf, words):
        assert clickbpf(*words).status == 2

    @pytest.mark.parametrize("words", [("--help",), ("--version",), ("run", "--help")])
    def test_help(self, clickbpf, words):
        done = clickbpf(*words)
        assert (done.status, bool(done.out)) == (0, True)

    @pytest.mark.parametrize("command", ["run", "flatten", "xform", "combine", "uncombine"])
    def test_each_command_shows_its_version_as_clicks_tools_do(self, clickbpf, command):
        assert [clickbpf(command, option).out for option in ("-v", "--version")] == [f"clickbpf {__version__}\n"] * 2


class TestFmt:
    @pytest.fixture
    def folder(self, tmp_path):
        (tmp_path / "good.click").write_text("a :: Idle -> Discard;\n")
        (tmp_path / "x.click").write_text("a::Idle  // mine\n->Discard;\n")
        return tmp_path

    def test_files_and_folders_are_changed_in_place(self, clickbpf, folder):
        done = clickbpf("fmt", str(folder))
        assert (done.status, done.out, done.err) == (0, "", f"{folder}/x.click formatted\n")
        assert (folder / "x.click").read_text() == "a :: Idle  // mine\n\t-> Discard;\n"
        assert clickbpf("fmt", "--check", str(folder)).status == 0

    def test_check_and_diff_change_nothing(self, clickbpf, folder):
        before = (folder / "x.click").read_text()
        checked, differing = clickbpf("fmt", "--check", str(folder)), clickbpf("fmt", "--diff", str(folder))
        assert (checked.status, checked.out) == (1, f"{folder}/x.click\n")
        assert differing.status == 1 and "\n+a :: Idle  // mine\n+\t-> Discard;\n" in differing.out and "good" not in differing.out
        assert (folder / "x.click").read_text() == before

    def test_a_file_with_mistakes_doesnt_keep_others_from_being_formatted(self, clickbpf, folder):
        (folder / "bad.click").write_text("a -> (b\n")
        done = clickbpf("fmt", str(folder / "bad.click"), str(folder / "x.click"), str(folder / "none.click"))
        assert done.status == 1 and f"{folder}/bad.click:1:6: error" in done.err and "none.click" in done.err
        assert (folder / "bad.click").read_text() == "a -> (b\n" and "\t->" in (folder / "x.click").read_text()

    def test_standard_input_goes_to_standard_output(self):
        done = subprocess.run(command("fmt"), input="a->b", capture_output=True, text=True, env=environment())
        assert (done.returncode, done.stdout) == (0, "a -> b\n")
