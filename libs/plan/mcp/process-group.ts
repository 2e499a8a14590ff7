import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * `node process-group.js COMMAND ARGUMENTS…` runs a command in a separate process group, with the standard
 * streams of this process, and ends the whole group with the command: its child processes would outlive it.
 */
const GRACE_MS = 500;
const [command = '', ...args] = process.argv.slice(2);

const signalGroup = (signal: NodeJS.Signals) => {
  try {
    process.kill(-child.pid!, signal);
  } catch {
    // The group is empty.
  }
};
// Installed before the group exists: otherwise a signal that arrives during the spawn would end this process
// and leave the group.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => {
    signalGroup(signal);
    setTimeout(() => signalGroup('SIGKILL'), GRACE_MS);
  });

const child = spawn(command, args, { stdio: 'inherit', detached: true });

child.once('error', () => process.exit(1));
child.once('exit', (code, signal) => {
  signalGroup('SIGKILL');
  process.exit(code ?? 128 + constants.signals[signal!]);
});
