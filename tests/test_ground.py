"""Smoke tests of the libraries that the table depends on, with the installed versions.

CI runs these with the newest versions, with the lowest that pyproject.toml allows, and with plain pygame.
"""

import pytest

pytestmark = pytest.mark.ground

WHY = "is not installed: make test installs it"


@pytest.fixture
def pygame(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    pygame = pytest.importorskip("pygame", reason=f"pygame {WHY}")
    pygame.init()
    yield pygame
    pygame.quit()


def test_pygame_draws_without_a_real_screen(pygame):
    screen = pygame.display.set_mode((800, 480))
    screen.fill((10, 20, 30))
    pygame.draw.circle(screen, (200, 0, 0), (400, 240), 50)
    pygame.display.flip()
    assert screen.get_size() == (800, 480)
    assert screen.get_at((400, 240))[:3] == (200, 0, 0)
    assert screen.get_at((5, 5))[:3] == (10, 20, 30)


def test_pygame_renders_text_with_its_default_font(pygame):
    text = pygame.font.Font(None, 40).render("Méxicó 21", True, (255, 255, 255))
    width, height = text.get_size()
    assert width > height > 10
    assert any(text.get_at((x, height // 2))[3] for x in range(width))


def test_pygame_is_woken_by_a_posted_event(pygame):
    pygame.display.set_mode((800, 480))
    pygame.event.clear()
    kind = pygame.event.custom_type()
    pygame.event.post(pygame.event.Event(kind, word="committed"))
    seen = [pygame.event.wait(60_000) for _ in range(1)] + pygame.event.get()
    assert [event.word for event in seen if event.type == kind] == ["committed"]


@pytest.fixture
def cv2():
    return pytest.importorskip("cv2", reason=f"opencv-python-headless {WHY}")


def test_opencv_reads_back_a_png_that_it_wrote(cv2):
    numpy = pytest.importorskip("numpy")
    picture = numpy.zeros((48, 64, 3), numpy.uint8)
    cv2.circle(picture, (32, 24), 10, (0, 128, 255), -1)
    done, packed = cv2.imencode(".png", picture)
    assert done
    assert (cv2.imdecode(packed, cv2.IMREAD_COLOR) == picture).all()


def test_opencv_finds_a_marker_that_it_drew(cv2):
    numpy = pytest.importorskip("numpy")
    markers = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    picture = numpy.full((200, 200), 255, numpy.uint8)
    picture[40:160, 40:160] = cv2.aruco.generateImageMarker(markers, 7, 120)
    corners, ids, _ = cv2.aruco.ArucoDetector(markers).detectMarkers(picture)
    assert numpy.asarray(ids).ravel().tolist() == [7]  # the shape of `ids` differs between OpenCV 4 and 5
    left, top = numpy.asarray(corners).reshape(-1, 2).min(axis=0)
    assert max(abs(left - 40), abs(top - 40)) < 2


def test_opencv_reads_a_qr_code_made_by_segno(cv2):
    numpy = pytest.importorskip("numpy")
    segno = pytest.importorskip("segno", reason=f"segno {WHY}")
    rows = list(segno.make_qr("WIFI:T:WPA;S:a\\;b;P:c;;", error="m").matrix_iter(border=4))
    picture = numpy.kron(255 - 255 * numpy.array(rows, numpy.uint8), numpy.ones((6, 6), numpy.uint8))
    assert cv2.QRCodeDetectorAruco().detectAndDecode(picture)[0] == "WIFI:T:WPA;S:a\\;b;P:c;;"


def test_gpiozero_notices_a_press_of_a_mock_pin():
    gpiozero = pytest.importorskip("gpiozero", reason=f"gpiozero {WHY}")
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory()
    presses = []
    try:
        with gpiozero.Button(17, pin_factory=factory) as button:
            button.when_pressed = lambda: presses.append("pressed")
            factory.pin(17).drive_low()  # a button pulls its pin to ground
            assert button.is_pressed
            factory.pin(17).drive_high()
            assert not button.is_pressed
    finally:
        factory.close()
    assert presses == ["pressed"]


def test_pyserial_reads_what_it_writes_to_a_loopback_port():
    serial = pytest.importorskip("serial", reason=f"pyserial {WHY}")
    with serial.serial_for_url("loop://", timeout=60) as port:
        port.write(b"roll 3\n")
        assert port.readline() == b"roll 3\n"
        assert port.in_waiting == 0


def test_pyserial_works_on_a_pty():
    serial = pytest.importorskip("serial", reason=f"pyserial {WHY}")
    pytest.importorskip("termios", reason="Windows has no pseudo-terminals")
    import os
    import pty
    import tty

    ours, theirs = pty.openpty()
    try:
        tty.setraw(theirs)
        with serial.Serial(os.ttyname(theirs), 115200, timeout=60) as port:
            os.write(ours, b"5\n")
            assert port.readline() == b"5\n"
            port.write(b"ok\n")
            assert os.read(ours, 10) == b"ok\n"
    finally:
        os.close(ours)
        os.close(theirs)
