// Command guiche is the open front desk for health-plan authorizations: the desk,
// the embedded authorization service and their administration in one program.
//
// This package has sub-commands, flags and exit codes, and no business rules.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// version is set by the build.
var version = "dev"

// errUsage is a wrong call whose message has been printed already.
var errUsage = errors.New("usage")

// main runs the command. What stopSignals names shuts down gracefully: answers under
// way are finished and data is written.
func main() {
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals(profiled())...)
	env := environment{args: os.Args[1:], lookup: os.LookupEnv, out: os.Stdout, err: os.Stderr}
	code := run(ctx, env)
	stop()
	os.Exit(code)
}

// stopSignals are those that end the program in order. That of a terminal that closes is one: it would leave what is on
// the wire in doubt. Under nohup it stays ignored, and a profile begins and ends with it.
func stopSignals(profiled bool) []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !profiled && !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// outliveOutput has a server outlive whoever reads what it prints, such as the tee of a pipe that the same Ctrl+C ends:
// by default the next line would end it as a kill does, with requests on the wire.
func outliveOutput() { signal.Ignore(syscall.SIGPIPE) }

// environment is what a command gets from the operating system; tests replace it.
type environment struct {
	args   []string
	lookup func(string) (string, bool)
	out    io.Writer
	err    io.Writer
}

// command is a sub-command and its line in the usage text.
type command struct {
	name    string
	summary string
	run     func(context.Context, environment) error
}

// commands returns all sub-commands, in the order of the usage text.
func commands() []command {
	return []command{
		{"demo", "desk, service and simulated operators, ready to try", stoppable(demo)},
		{"serve", "the desk in production", stoppable(serve)},
		{"service", "the authorization service and its console, without the desk", stoppable(standalone)},
		{"user", "user add|disable|reset: people, and the one-time link for a password", user},
		{"key", "key rotate|list|replace: the keys of an installation", key},
		{"migrate", "bring the databases to this version's schema, and start nothing", migrate},
		{"backup", "copy the data to a folder of backups, also while the server runs", makeBackup},
		{"copy", "move an installation to another folder, database or bucket, and check all of it", copyInstallation},
		{"restore", "make an installation of a backup", restore},
		{"verify", "check a data folder, a backup, or the newest of a folder of backups", verify},
		{"healthcheck", "exit 0 when the running server answers", healthcheck},
		{"version", "print the version", printVersion},
		{"licenses", "print the licence texts of everything in this program", printLicenses},
	}
}

// run returns the exit code: 0 for success, 1 for a failure, 2 for a wrong call.
func run(ctx context.Context, env environment) int {
	if len(env.args) == 0 {
		usage(env.err)
		return 2
	}
	name := env.args[0]
	env.args = env.args[1:]
	for _, c := range commands() {
		if c.name == name {
			return exitCode(c.run(ctx, env), env.err)
		}
	}
	if asksHelp(name) {
		usage(env.out)
		return 0
	}
	fmt.Fprintf(env.err, "guiche: unknown command %q\n", name)
	usage(env.err)
	return 2
}

// runOneOf runs a command that has commands of its own.
func runOneOf(ctx context.Context, env environment, name string, commands []command) error {
	if len(env.args) > 0 {
		for _, c := range commands {
			if c.name == env.args[0] {
				env.args = env.args[1:]
				return c.run(ctx, env)
			}
		}
	}
	to, err := env.err, errUsage
	if len(env.args) > 0 && asksHelp(env.args[0]) {
		to, err = env.out, nil
	}
	fmt.Fprintf(to, "Usage: guiche %s COMMAND [flags]\n", name)
	for _, c := range commands {
		fmt.Fprintf(to, "  %-12s %s\n", c.name, c.summary)
	}
	return err
}

// asksHelp reports whether a word in the place of a command asks what commands there are.
func asksHelp(word string) bool {
	return slices.Contains([]string{"help", "-h", "-help", "--help"}, word)
}

// exitCode maps a command's error to the exit code, and prints a failure. Asking for
// help is no failure.
func exitCode(err error, w io.Writer) int {
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		return 2
	}
	fmt.Fprintf(w, "guiche: %v\n", err)
	return 1
}

// usage lists the commands. It goes to standard output when it was asked for, and to
// standard error after a wrong call.
func usage(w io.Writer) {
	fmt.Fprintln(w, "Usage: guiche COMMAND [flags]")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-12s %s\n", c.name, c.summary)
	}
	fmt.Fprintln(w, "guiche COMMAND -h lists the flags; each has a GUICHE_ variable of the same name.")
}

// printVersion is "guiche version"; a build without a version is "dev".
func printVersion(_ context.Context, env environment) error {
	_, err := fmt.Fprintln(env.out, "guiche", version)
	return err
}
