from tests.elements.sockets.conftest import running as running
