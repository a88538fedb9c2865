"""A fresh Debian of this machine's own release and mirror, with systemd as PID 1: namespaces over a folder that debootstrap made.

It has no network but loopback; apt alone is let out. Its user is ada, who may use sudo.
"""

import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

# What Debian's installer leaves behind on a machine without a desktop, as far as the pages rely on it.
PACKAGES = ["ca-certificates", "dbus", "dbus-user-session", "iproute2", "libpam-systemd", "polkitd", "procps", "sudo", "systemd", "systemd-sysv"]
OUTSIDE = "usr/local/lib/outer-network"


def mirror() -> tuple[str, str, Path]:
    """apt's mirror and release, and the file that names them."""
    release = next(line.split("=")[1].strip() for line in open("/etc/os-release") if line.startswith("VERSION_CODENAME="))
    for file in [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]:
        if not file.exists():
            continue
        for block in file.read_text().split("\n\n"):
            words = block.split()
            addresses = [word for word in words if word.startswith(("http:", "https:"))]
            if release in words and "main" in words and addresses:
                return next(address for address in addresses if "snapshot" not in address), release, file
    raise SystemExit(f"no mirror of {release} in /etc/apt")


def make_base(folder: Path) -> None:
    """Makes the folder that all machines begin with."""
    address, release, source = mirror()
    subprocess.run(["debootstrap", "--variant=minbase", release, folder, address], check=True, stdout=subprocess.DEVNULL)
    (folder / "etc/apt/sources.list").unlink(missing_ok=True)
    shutil.copy(source, folder / "etc/apt" / source.relative_to("/etc/apt"))
    settings = subprocess.run(["apt-config", "dump", "Acquire"], check=True, capture_output=True, text=True).stdout
    (folder / "etc/apt/apt.conf.d/90outside").write_text(
        "".join(line for line in settings.splitlines(True) if "Proxy" in line) + 'APT::Install-Recommends "false";\n')
    shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
    for name in ["apt", "apt-get"]:
        (folder / "usr/local/sbin" / name).write_text(
            f'#!/bin/sh\nexport DEBIAN_FRONTEND=noninteractive\nexec nsenter --net=/{OUTSIDE} /usr/bin/{name} -y "$@"\n')
        (folder / "usr/local/sbin" / name).chmod(0o755)
    (folder / OUTSIDE).touch()
    (folder / "etc/hostname").write_text("stage\n")
    (folder / "etc/hosts").write_text("127.0.0.1 localhost stage stage.local studio.local\n")
    with Machine([folder], []) as machine:
        machine.root("apt-get -qq update && apt-get -qq install " + " ".join(PACKAGES))
        machine.root("useradd -m -s /bin/bash ada && echo 'ada ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/ada")
        # The answer to jackd2's question, as in docs/install.md.
        machine.root("echo jackd2 jackd/tweak_rt_limits boolean true | debconf-set-selections")
        subprocess.run(["cp", "-a", "--remove-destination", f"{machine.changes()}/.", folder], check=True)


class Machine:
    """A machine that is deleted at the end: an overlay of folders, the highest first, below a folder for its changes.

    `shared` are folders of this machine, and their paths on the new one.
    """

    def __init__(self, layers: list[Path], shared: list[tuple[Path, str]]) -> None:
        self.layers = layers
        self.shared = shared
        self.place = Path(subprocess.check_output(["mktemp", "-d", "/var/tmp/pb.XXXXXX"], text=True).strip())
        self.top = self.place / "root"

    def __enter__(self) -> "Machine":
        for name in ["root", "upper", "work"]:
            (self.place / name).mkdir()
        mounts = "\n".join(
            f"mkdir -p {self.top}{target} && mount --bind {source} {self.top}{target}" for source, target in self.shared)
        has_init = (self.layers[-1] / "usr/lib/systemd/systemd").exists()
        lower = ":".join(map(str, self.layers))
        init = "exec env -i container=other /usr/lib/systemd/systemd" if has_init else "exec sleep infinity"
        script = f"""
            set -e
            mount --make-rprivate /
            mount -t overlay overlay -o lowerdir={lower},upperdir={self.place}/upper,workdir={self.place}/work {self.top}
            mount --bind /proc/self/ns/net {self.top}/{OUTSIDE}
            {mounts}
            exec unshare --net --pid --uts --ipc --cgroup --fork --kill-child bash -c '
                set -e
                cd {self.top}
                mount -t proc proc proc
                mount -t sysfs sysfs sys
                mount -t cgroup2 cgroup2 sys/fs/cgroup
                mount -t tmpfs -o mode=755 tmpfs dev
                for name in null zero full random urandom tty; do touch dev/$name; mount --bind /dev/$name dev/$name; done
                mkdir dev/pts dev/shm
                mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
                ln -s pts/ptmx dev/ptmx
                ln -s /proc/self/fd dev/fd
                mount -t tmpfs -o mode=1777 tmpfs dev/shm
                mount -t tmpfs tmpfs run
                ip link set lo up
                hostname stage
                # Not chroot, in which no user namespace can be made: the units need one.
                pivot_root . mnt
                umount -l /mnt
                {init}'"""
        self.log = open(self.place / "log", "w")
        self.process = subprocess.Popen(
            ["unshare", "--mount", "bash", "-c", script], stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL,
            start_new_session=True)
        try:
            self.init = self.wait_for_init()
            if has_init:
                self.wait_for_systemd()
        except BaseException:
            self.__exit__()
            raise
        return self

    def wait_for_init(self) -> int:
        """The PID of the machine's first process: the child of `unshare --fork`, once it is in the new root."""
        for _ in range(200):
            if self.process.poll() is not None:
                break
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            if children and Path(f"/proc/{children[0]}/comm").read_text().strip() in ("systemd", "sleep"):
                return int(children[0])
            time.sleep(0.1)
        raise SystemExit(f"the machine does not start: {(self.place / 'log').read_text()}")

    def wait_for_systemd(self) -> None:
        for _ in range(300):
            outcome = self.run("systemctl is-system-running", capture_output=True, text=True)
            if outcome.stdout.strip() in ("running", "degraded"):
                return
            time.sleep(0.1)
        raise SystemExit(f"systemd does not start: {outcome.stdout}{outcome.stderr}{(self.place / 'log').read_text()}")

    def arguments(self, script: str) -> list[str]:
        inside = ["nsenter", f"--target={self.init}", "--mount", "--net", "--pid", "--uts", "--ipc", "--cgroup"]
        environment = ["env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LANG=C.UTF-8"]
        return [*inside, *environment, "bash", "-c", script]

    def run(self, script: str, **options: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self.arguments(script), **options)  # type: ignore[call-overload, no-any-return]

    def root(self, script: str) -> None:
        """Runs a script as root, which must succeed."""
        outcome = self.run("set -e\n" + script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if outcome.returncode:
            raise SystemExit(f"failed on the fresh machine: {script}\n{outcome.stdout}")

    def session(self, script: str) -> subprocess.Popen[str]:
        """Runs a script in a login session of ada's."""
        options = "--quiet --pipe --wait --collect --property=PAMName=login --uid=ada --working-directory=/home/ada"
        return subprocess.Popen(
            self.arguments(f"exec systemd-run {options} bash -l {script}"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, text=True)

    def lines(self, session: subprocess.Popen[str], patience: float) -> Iterator[str]:
        """What a session prints, until it ends; if it prints nothing for too long, the machine is stopped."""
        assert session.stdout
        while True:
            watch = threading.Timer(patience, self.stop)
            watch.start()
            line = session.stdout.readline()
            watch.cancel()
            if not line:
                session.wait()
                return
            yield line

    def changes(self) -> Path:
        """Stops the machine, and returns the folder with its changes, which can be a layer of others."""
        self.stop()
        return self.place / "upper"

    def stop(self) -> None:
        if self.process.poll() is None:
            # Killing `unshare --kill-child` stops the machine, whether it came up or not.
            self.process.kill()
            self.process.wait()

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.log.close()
        shutil.rmtree(self.place, ignore_errors=True)
