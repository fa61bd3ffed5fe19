// The hostile programs that a shell cannot write. The argument chooses one. Each
// prints what it got.
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// allowed prints a name unless a call was refused, rather than failed for another reason.
static void allowed(const char *name, long result) {
	if (result >= 0 || errno != EPERM) printf("%s\n", name);
}

// calls makes each system call that the filter refuses, with arguments that fail in another way
// where the kernel looks at them.
static void calls() {
	pid_t sibling = fork();
	if (sibling == 0) { pause(); _exit(0); }
	char text[4096] = {};
	long bad = -1;
#define CALL(name, ...) allowed(#name, syscall(SYS_##name, ##__VA_ARGS__))
	CALL(io_uring_setup, 1, text);
	CALL(io_uring_enter, bad, 0, 0, 0, 0, 0);
	CALL(io_uring_register, bad, 0, 0, 0);
	CALL(io_setup, 1, text);
	CALL(memfd_create, "x", 0);
	CALL(memfd_secret, 0);
	CALL(shmget, 0, 4096, 01600);
	CALL(semget, 0, 1, 01600);
	CALL(msgget, 0, 01600);
	CALL(mq_open, "x", O_CREAT | O_RDWR, 0600, 0);
	CALL(vmsplice, bad, 0, 0, 0);
	CALL(setsockopt, bad, SOL_SOCKET, SO_SNDBUF, text, 4);
	CALL(keyctl, 0, -3, 1); // KEYCTL_GET_KEYRING_ID of the session
	CALL(keyctl, 1, "x");   // KEYCTL_JOIN_SESSION_KEYRING
	CALL(add_key, "user", "quintet-left", "x", 1, -3);
	CALL(request_key, "user", "quintet-canary", 0, 0);
	CALL(ptrace, 16, sibling, 0, 0); // PTRACE_ATTACH
	CALL(ptrace, 16, getppid(), 0, 0);
	CALL(process_vm_readv, sibling, 0, 0, 0, 0, 0);
	CALL(process_vm_writev, getppid(), 0, 0, 0, 0, 0);
	CALL(process_madvise, bad, 0, 0, 0, 0);
	CALL(pidfd_getfd, bad, 0, 0);
	CALL(kcmp, getpid(), sibling, 1, 0, 0);
	CALL(setns, bad, 0);
	CALL(bpf, 0, text, sizeof text);
	CALL(perf_event_open, text, 0, -1, -1, 0);
	CALL(userfaultfd, 1); // UFFD_USER_MODE_ONLY, for everybody
	CALL(fanotify_init, 0x200, 0);
	CALL(open_by_handle_at, bad, text, 0);
	CALL(syslog, 10, 0, 0);
	CALL(acct, 0);
	CALL(swapon, "x", 0);
	CALL(swapoff, "x");
	CALL(reboot, 0, 0, 0, 0);
	CALL(kexec_load, 0, 0, 0, 0);
	CALL(kexec_file_load, bad, bad, 0, "", 0);
	CALL(init_module, text, 0, "");
	CALL(finit_module, bad, "", 0);
	CALL(delete_module, "x", 0);
#ifdef __x86_64__
	allowed("x32", syscall(SYS_getpid | 0x40000000));

	static sigjmp_buf without; // a kernel without the i386 ABI sends SIGSEGV
	signal(SIGSEGV, [](int) { siglongjmp(without, 1); });
	if (sigsetjmp(without, 1) == 0) {
		long pid; // getpid is 20 there
		asm volatile("int $0x80" : "=a"(pid) : "0"(20) : "memory");
		if (pid != -EPERM) puts("i386");
	}
	signal(SIGSEGV, SIG_DFL);
#endif
	kill(sibling, SIGKILL);
}

// sockets opens sockets of all kinds. Only AF_UNIX is allowed.
static void sockets() {
	for (int domain = 0; domain < 64; domain++)
		for (int kind : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW}) {
			int pair[2];
			if (socket(domain, kind, 0) < 0 && errno == EPERM && socketpair(domain, kind, 0, pair) < 0 && errno == EPERM) continue;
			if (domain != AF_UNIX) printf("domain %d\n", domain);
		}
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) puts("no AF_UNIX");
}

// buffers fills the buffers of as many sockets and pipes as it can open, and prints their MB.
static void buffers() {
	static char text[1 << 16];
	long bytes = 0;
	for (int fds[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0;)
		for (int fd : fds) {
			int size = 1 << 30;
			setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
			fcntl(fd, F_SETFL, O_NONBLOCK);
			for (ssize_t n; (n = write(fd, text, sizeof text)) > 0;) bytes += n;
		}
	printf("%ld\n", bytes >> 20);
}

// mappings takes shared memory that nobody has mapped in the end.
static void mappings() {
	const size_t size = 1 << 20;
	allowed("anonymous", (long)mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	for (const char *name : {"/dev/zero", "/dev/full"}) {
		void *p = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, open(name, O_RDWR), 0);
		if (p != MAP_FAILED) puts(name);
	}
	if (mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) puts("no private memory");
}

// tables reads a page in each of many regions, which costs page tables but no pages.
static void tables() {
	const size_t step = 2 << 20, size = step << 14;
	for (;;) {
		char *p = (char *)mmap(0, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p == MAP_FAILED) puts("no more"), exit(1);
		madvise(p, size, MADV_NOHUGEPAGE);
		for (size_t i = 0; i < size; i += step) (void)*(volatile char *)(p + i);
	}
}

// unlinked fills files that have no name any more, and prints their MB.
static void unlinked() {
	static char text[1 << 20];
	long bytes = 0;
	for (std::string dir : {"/tmp", "/work", "/", "/dev", "/dev/shm", "/judge", "/run"})
		for (int i = 0; i < 40; i++) {
			std::string name = dir + "/unlinked";
			int fd = open(name.c_str(), O_CREAT | O_WRONLY, 0600);
			unlink(name.c_str());
			for (ssize_t n; fd >= 0 && (n = write(fd, text, sizeof text)) > 0;) {
				bytes += n;
				if (n == sizeof text) break; // the limit of a file
			}
		}
	printf("%ld\n", bytes >> 20);
}

int main(int, char **args) {
	std::map<std::string, void (*)()> all = {{"calls", calls}, {"sockets", sockets}, {"buffers", buffers}, {"mappings", mappings}, {"tables", tables}, {"unlinked", unlinked}};
	signal(SIGXFSZ, SIG_IGN);
	setvbuf(stdout, 0, _IONBF, 0);
	all.at(args[1])();
	puts("done");
}
