import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, Target } from './fault.js';
import type { Chance } from './random.js';

/** Returns false if the process has already ended. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

function anyPid({ stack }: Target, chance: Chance, kind = ''): number | undefined {
  const pids = Object.entries(stack.pids()).filter(([name]) => name.startsWith(kind));
  return pids.length === 0 ? undefined : chance.pick(pids)[1];
}

function kill(target: Target, chance: Chance, kind?: string): Promise<void> {
  const pid = anyPid(target, chance, kind);
  if (pid !== undefined && signal(pid, 'SIGKILL')) target.count('kills');
  return Promise.resolve();
}

/** Milliseconds in which a process reaches an armed commit point that runs pass often. */
const REACHED_MS = 4_000;

/** Statements that a replaced runner sends late if it sleeps just before them. */
const FENCED = [
  'commit step',
  'commit step',
  'pause run',
  'finish run',
  'settle model call',
  'append tokens',
  'name checkpoint',
  'complete task',
  'claim run',
];
const TAKE_OVER_MS = 25_000;
/** Time in ms between the take-over and the late statement, while the new runner is working. */
const LATE_MS = 400;

/** A process dies at the next commit point of the deck. A point that is not reached in time stays armed. */
async function dieAtCommit({ deck, commits }: Target, chance: Chance): Promise<void> {
  const { when, point } = deck.deal(chance);
  const before = (await commits.fired()).filter((f) => f.when === when && f.point === point).length;
  await commits.arm(when, point, 'SIGKILL');
  await commits.next(when, point, before, REACHED_MS);
}

/** A process pauses just before a commit and continues when another one has taken over its run. */
async function sleepBeforeCommit(target: Target, chance: Chance): Promise<void> {
  const { commits, db } = target;
  const point = chance.pick(FENCED);
  const lateMs = chance.between(0, LATE_MS);
  const before = (await commits.fired()).filter((f) => f.when === 'before' && f.point === point).length;
  await commits.arm('before', point, 'SIGSTOP');
  const fired = await commits.next('before', point, before, REACHED_MS);
  if (!fired) return commits.disarm('before', point);
  target.count('stops');
  const epoch = async () =>
    (await db.run.findUnique({ where: { id: fired.runId }, select: { epoch: true } }).catch(() => null))
      ?.epoch;
  const held = await epoch();
  const end = Date.now() + TAKE_OVER_MS;
  while (Date.now() < end) {
    const now = await epoch();
    if (held !== undefined && now !== undefined && now > held) break;
    await delay(50);
  }
  await delay(lateMs);
  signal(fired.pid, 'SIGCONT');
}

export const PROCESS_FAULTS: Fault[] = [
  { name: 'death at a commit point', weight: 24, apply: dieAtCommit },
  { name: 'sleep before a commit past the lease', weight: 3, apply: sleepBeforeCommit },
  {
    name: 'kill -9 of an agent-runner',
    weight: 4,
    apply: (target, chance) => kill(target, chance, 'agent-runner'),
  },
  { name: 'kill -9 of any process', weight: 6, apply: kill },
  { name: 'kill -9 of the gateway', weight: 2, apply: (target, chance) => kill(target, chance, 'gateway') },
  {
    name: 'short SIGSTOP of any process',
    weight: 1,
    async apply(target, chance) {
      const pid = anyPid(target, chance);
      if (pid === undefined || !signal(pid, 'SIGSTOP')) return;
      await delay(chance.between(200, 1_500));
      signal(pid, 'SIGCONT');
    },
  },
];
