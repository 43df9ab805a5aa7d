/* Say in one line why user-mode Linux cannot run on this machine, or nothing; the status is 1 when it cannot.
 *
 * It runs each program traced and keeps its floating-point registers, all that the processor's XSAVE has, on the
 * kernel's own stack: uml.patch makes that room ROOM bytes (a processor with AMX fills 11,008). */
#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOM 16384 /* HOST_FP_SIZE in uml.patch */
#define MOST (1 << 20)

static int cannot(const char *why)
{
	printf("The test kernel cannot run on this machine: %s.\n", why);
	return 1;
}

int main(int count, char **words)
{
	long room = count > 1 ? atol(words[1]) : ROOM; /* the test says less */
#ifndef __x86_64__
	(void)room;
	return cannot("user-mode Linux is for x86-64 only");
#else
	static char area[MOST];
	struct iovec all = {area, sizeof area};
	char why[200];
	int status;
	pid_t child = fork();

	if (child == 0) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0) == 0)
			raise(SIGSTOP);
		_exit(1);
	}
	if (child < 0 || waitpid(child, &status, WUNTRACED) != child)
		return cannot("it starts no process");
	if (!WIFSTOPPED(status))
		return cannot("no process may trace another here (ptrace)");
	long got = ptrace(PTRACE_GETREGSET, child, NT_X86_XSTATE, &all);
	long put = got ? -1 : ptrace(PTRACE_SETREGSET, child, NT_X86_XSTATE, &all);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	if (got || put)
		return cannot("the registers of a traced process cannot be had whole (ptrace, XSAVE)");
	if ((long)all.iov_len > room) {
		snprintf(why, sizeof why, "its processor's XSAVE area is %zu bytes, and uml.patch has room for %ld",
			all.iov_len, room);
		return cannot(why);
	}
	return 0;
#endif
}
