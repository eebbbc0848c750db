/*
 * Times whole processes from just before exec to their end, for test/bench. In C, because a timer inside Node
 * would measure Node's own event loop.
 *
 *   time-processes pairs N -- A [ARG…] -- B [ARG…]   A and B in turn: "A_ns B_ns A_rss_kib B_rss_kib failed" a line
 *   … -- OTHER [ARG…]                                OTHER before each of them, not timed: it has the caches then
 *   time-processes storm N PARALLEL -- A [ARG…]      N runs, PARALLEL at a time: "elapsed_ns failed", once
 *
 * The programs' output goes to /dev/null. Their environment is this process's, with the words NAME=VALUE that stand
 * before a program added for that one. Their standard input is /dev/null, or FILE where <FILE stands before a program.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

struct command {
  char **words;
  char **environment;
  posix_spawn_file_actions_t files;
};

static pid_t begin(const struct command *command) {
  pid_t pid;
  char **words = command->words;
  int error = posix_spawn(&pid, words[0], &command->files, NULL, words, command->environment);
  if (error != 0) {
    fprintf(stderr, "%s: %s\n", words[0], strerror(error));
    exit(2);
  }
  return pid;
}

static long long time_one(const struct command *command, long *rss_kib, int *failed) {
  struct rusage usage;
  int status;
  long long start = now_ns();
  pid_t pid = begin(command);
  wait4(pid, &status, 0, &usage);
  long long taken = now_ns() - start;
  *rss_kib = usage.ru_maxrss;
  *failed += status != 0;
  return taken;
}

/* A path may hold = only after a slash. */
static int is_variable(const char *word) {
  size_t name = strcspn(word, "/=");
  return word[name] == '=';
}

/* The words between this "--" and the next, ended by a NULL in the place of the latter. */
static struct command next_command(char **words, char ***rest) {
  if (*words == NULL || strcmp(*words, "--") != 0 || words[1] == NULL) {
    fputs("a command after -- is missing\n", stderr);
    exit(2);
  }
  size_t count = 0, own = 0;
  words++;
  while (environ[count] != NULL) {
    count++;
  }
  while (words[own] != NULL && is_variable(words[own])) {
    own++;
  }
  const char *input = words[own] != NULL && words[own][0] == '<' ? words[own] + 1 : NULL;
  char **program = words + own + (input != NULL);
  struct command command = {.words = program, .environment = calloc(own + count + 1, sizeof(char *))};
  if (command.environment == NULL || *program == NULL) {
    fputs("a program is missing\n", stderr);
    exit(2);
  }
  memcpy(command.environment, words, own * sizeof(char *));
  memcpy(command.environment + own, environ, count * sizeof(char *));
  posix_spawn_file_actions_init(&command.files);
  posix_spawn_file_actions_addopen(&command.files, 0, input != NULL ? input : "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&command.files, 1, "/dev/null", O_WRONLY, 0);
  while (*words != NULL && strcmp(*words, "--") != 0) {
    words++;
  }
  *rest = words;
  return command;
}

/* What ran before has left its own in the processor's caches. */
static void run_between(const struct command *other) {
  if (other != NULL) {
    int status;
    waitpid(begin(other), &status, 0);
  }
}

static void pairs(int count, const struct command *a, const struct command *b, const struct command *other) {
  for (int i = 0; i < count; i++) {
    long a_rss = 0, b_rss = 0;
    int failed = 0;
    long long a_ns = 0, b_ns = 0;
    /* Each goes first in every second pair: what one leaves behind in a cache favours neither. */
    for (int turn = 0; turn < 2; turn++) {
      run_between(other);
      if ((i + turn) % 2 == 0) {
        a_ns = time_one(a, &a_rss, &failed);
      } else {
        b_ns = time_one(b, &b_rss, &failed);
      }
    }
    printf("%lld %lld %ld %ld %d\n", a_ns, b_ns, a_rss, b_rss, failed);
  }
}

static void storm(int count, int parallel, const struct command *command) {
  int begun = 0, running = 0, failed = 0;
  long long start = now_ns();
  while (begun < count || running > 0) {
    if (begun < count && running < parallel) {
      begin(command);
      begun++;
      running++;
    } else {
      int status;
      wait(&status);
      failed += status != 0;
      running--;
    }
  }
  printf("%lld %d\n", now_ns() - start, failed);
}

int main(int argc, char **argv) {
  char **rest;
  if (argc > 5 && strcmp(argv[1], "pairs") == 0) {
    struct command a = next_command(argv + 3, &rest);
    char **after_a = rest;
    struct command b = next_command(rest, &rest);
    char **after_b = rest;
    *after_a = NULL;
    if (*after_b != NULL) {
      struct command other = next_command(after_b, &rest);
      *after_b = NULL;
      pairs(atoi(argv[2]), &a, &b, &other);
    } else {
      pairs(atoi(argv[2]), &a, &b, NULL);
    }
  } else if (argc > 5 && strcmp(argv[1], "storm") == 0) {
    struct command command = next_command(argv + 4, &rest);
    storm(atoi(argv[2]), atoi(argv[3]), &command);
  } else {
    fputs("usage: time-processes pairs N -- A … -- B … [-- OTHER …] | storm N PARALLEL -- A …\n", stderr);
    return 2;
  }
  return 0;
}
