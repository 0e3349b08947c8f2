# SPDX-License-Identifier: MIT
"""A real Slurm of three nodes on this machine's loopback, for tests: its own munge, controller and node daemons, ports
that were free, everything in one folder, no systemd. Needs root and Debian's slurmctld, slurmd and munge.

    with SlurmCluster(folder) as cluster:
        cluster.command("sinfo")
        cluster.crash("n2")

All that was started is ended on the way out, also what a test left behind.
"""
import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time

NODES = ["n1", "n2", "n3"]
PROGRAMS = ["slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "munged", "runuser"]

# NoInAddrAny: nothing is reachable from outside. cred_expire: a task that is queued again would wait two minutes for
# its old credential to expire; 5 s is the least. No cgroups and no systemd, which a container may lack. A processor for
# each node, and it does not matter how many there are. ReturnToService: a node that was down and registers is used.
CONFIGURATION = """
ClusterName=terrane
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
MailProg=/bin/true
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,requeue_delay=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SlurmctldTimeout=30
SlurmdTimeout=10
KillWait=5
MessageTimeout=10
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1 State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1 State=UNKNOWN
NodeName=n3 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[3]} CPUs=1 State=UNKNOWN
PartitionName=bake Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP
"""


def why_not():
    """Why there can be no cluster here; None if there can."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    missing = [program for program in PROGRAMS if not shutil.which(program)]
    if missing:
        return "no %s here (scripts/deps installs Slurm)" % ", ".join(missing)
    if os.geteuid() != 0:
        return "Slurm's daemons want root"
    if not glob.glob("/sys/fs/cgroup/*"):
        return "slurmd needs /sys/fs/cgroup mounted"
    return None


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def environment_of(pid):
    try:
        with open("/proc/%d/environ" % pid, "rb") as file:
            return dict(pair.split(b"=", 1) for pair in file.read().split(b"\0") if b"=" in pair)
    except OSError:
        return {}


def command_of(pid):
    try:
        with open("/proc/%d/cmdline" % pid, "rb") as file:
            return [os.fsdecode(word) for word in file.read().split(b"\0")[:-1]]
    except OSError:
        return []


def parent_of(pid):
    try:
        with open("/proc/%d/stat" % pid, "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1])
    except OSError:
        return 0


def processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def kill(pid, number=signal.SIGKILL):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


class NoCluster(Exception):
    """This machine, not the test, is why there is none."""


class SlurmCluster:
    def __init__(self, folder):
        self.folder = folder
        self.configuration = os.path.join(folder, "slurm.conf")
        self.environment = dict(os.environ, SLURM_CONF=self.configuration)
        # A bake by Slurm must not take over what the caller's own Slurm job says.
        for name in list(self.environment):
            if name.startswith(("SLURM_", "SBATCH_")) and name != "SLURM_CONF":
                del self.environment[name]

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        for name in ["state"] + ["spool." + node for node in NODES]:
            os.makedirs(os.path.join(self.folder, name))
        with open(self.configuration, "w") as file:
            file.write(CONFIGURATION.format(host=socket.gethostname().split(".")[0], folder=self.folder,
                                            ports=free_ports(4)))
        with open(os.path.join(self.folder, "cgroup.conf"), "w") as file:
            file.write("IgnoreSystemd=yes\n")
        self.start_munge()
        self.command("slurmctld")
        for node in NODES:
            self.command("slurmd", "-N", node, may_fail=True) # is_up says why
        self.wait_for(self.is_up, "three idle nodes")

    def is_up(self):
        for node in NODES:
            with open(os.path.join(self.folder, "slurmd.%s.log" % node), "a+") as file:
                file.seek(0)
                if "Unable to initialize cgroup plugin" in file.read():
                    raise NoCluster("slurmd cannot use the cgroups of this machine")
        return self.command("sinfo", "-h", "-o", "%T,%D", may_fail=True).strip() == "idle,3"

    def start_munge(self):
        """Its own key and socket, so that nothing of the machine's is touched. munged trusts only folders that nobody
        else can write to."""
        place = os.path.join(self.folder, "munge")
        user = pwd.getpwnam("munge")
        os.makedirs(place)
        os.chmod(self.folder, 0o755)
        with open(os.path.join(place, "key"), "wb", opener=lambda path, flags: os.open(path, flags, 0o400)) as file:
            file.write(os.urandom(128))
        for path in [place, os.path.join(place, "key")]:
            os.chown(path, user.pw_uid, user.pw_gid)
        os.chmod(place, 0o711)
        self.command("runuser", "-u", "munge", "--", "munged", "--force",
                     *("--%s-file=%s/%s" % (name, place, name) for name in ("key", "pid", "log", "seed")),
                     "--socket=%s/socket" % place)

    def mine(self):
        """Daemons, step daemons and tasks: what has this cluster's configuration in its environment, and what such a
        process started. This process has not, and what has ended has no environment."""
        found = {pid for pid in processes()
                 if environment_of(pid).get(b"SLURM_CONF") == os.fsencode(self.configuration)}
        return found | {pid for pid in processes() if parent_of(pid) in found and environment_of(pid)}

    def stop(self):
        """Until nothing is left: a daemon may just have started something."""
        until = time.monotonic() + 10
        left = self.mine()
        while left and time.monotonic() < until:
            for pid in left:
                kill(pid)
            time.sleep(0.05)
            left = self.mine()

    def command(self, *words, may_fail=False):
        result = subprocess.run(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=60)
        text = result.stdout.decode(errors="replace")
        if result.returncode and not may_fail:
            raise RuntimeError("%s: exit code %d: %s" % (" ".join(words), result.returncode, text))
        return text

    def wait_for(self, condition, what, seconds=30):
        until = time.monotonic() + seconds
        while True:
            result = condition()
            if result:
                return result
            if time.monotonic() > until:
                raise RuntimeError("no %s after %d s\n%s" % (what, seconds, self.state()))
            time.sleep(0.02)

    def state(self):
        text = self.command("sinfo", may_fail=True) + self.command("squeue", may_fail=True)
        for path in glob.glob(os.path.join(glob.escape(self.folder), "*.log")):
            with open(path, errors="replace") as file:
                text += "%s:\n%s" % (path, "".join(file.readlines()[-12:]))
        return text

    def of_node(self, node):
        """The processes of a node's tasks."""
        return [pid for pid in processes() if environment_of(pid).get(b"SLURMD_NODENAME") == node.encode()
                and environment_of(pid).get(b"SLURM_CONF") == os.fsencode(self.configuration)]

    def crash(self, node):
        """Kills a node with all that runs on it, and tells the controller, which would need SlurmdTimeout to see it."""
        tasks = self.of_node(node)
        with open(os.path.join(self.folder, "slurmd.%s.pid" % node)) as file:
            daemon = int(file.read())
        steps = {parent_of(pid) for pid in tasks} - set(tasks) - {0, 1, os.getpid()}
        # All at once, as far as that goes: nobody may live to see another die and tidy up.
        for pid in tasks:
            kill(pid, signal.SIGSTOP)
        for pid in [*sorted(tasks, reverse=True), daemon, *steps]:
            kill(pid)
        self.command("scontrol", "update", "nodename=" + node, "state=down", "reason=crash")

    def revive(self, node):
        """A node that registers is back in service."""
        self.command("slurmd", "-N", node)
        self.wait_for(self.is_up, "three idle nodes")
