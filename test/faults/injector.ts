import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, Target } from './fault.js';
import { OUTSIDE_FAULTS } from './outside-faults.js';
import { PROCESS_FAULTS } from './process-faults.js';
import type { Chance } from './random.js';
import { SERVER_FAULTS } from './server-faults.js';
import type { OwnServers } from './servers.js';

/** A longer fault continues concurrently with the next ones. */
const MAX_WAIT_MS = 1_500;
const PAUSE_MS = { least: 300, most: 1_700 };
const FAULTS = [...PROCESS_FAULTS, ...SERVER_FAULTS, ...OUTSIDE_FAULTS];

/** @param only prefixes of the wanted faults; all by default */
export function faultsFor(servers: OwnServers, only?: readonly string[]): Fault[] {
  const possible = FAULTS.filter(({ isPossible }) => isPossible?.(servers) ?? true);
  return only ? possible.filter(({ name }) => only.some((start) => name.startsWith(start))) : possible;
}

/**
 * Maximum time in ms that the next fault waits for a stopped gateway: if processes needed longer to start than the
 * interval of faults, no work would be left to disturb.
 */
const RECOVERY_MS = 15_000;
const POLL_INTERVAL_MS = 250;

/** Injects faults one after the other, with pauses. */
export class Injector {
  readonly counts: Record<string, number> = {};

  constructor(
    private readonly target: Target,
    private readonly faults: readonly Fault[],
    private readonly say: (line: string) => void,
  ) {}

  /** Number of faults so far. */
  get injected(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  private async gatewayUp(goesOn: () => boolean): Promise<void> {
    const url = `${this.target.stack.url}/api/health/live`;
    const isUp = () =>
      fetch(url, { signal: AbortSignal.timeout(POLL_INTERVAL_MS * 4) }).then(
        ({ ok }) => ok,
        () => false,
      );
    const end = Date.now() + RECOVERY_MS;
    while (goesOn() && Date.now() < end && !(await isUp())) await delay(POLL_INTERVAL_MS);
  }

  /** Resolves when every fault is over. */
  async run(chance: Chance, goesOn: () => boolean): Promise<void> {
    const underWay: Promise<void>[] = [];
    while (goesOn()) {
      await delay(chance.between(PAUSE_MS.least, PAUSE_MS.most));
      await this.gatewayUp(goesOn);
      const fault = chance.weighted(this.faults);
      this.counts[fault.name] = (this.counts[fault.name] ?? 0) + 1;
      this.say(`fault: ${fault.name}`);
      const applied = fault
        .apply(this.target, chance.fork())
        .catch((error: unknown) => this.say(`fault not applied: ${(error as Error).message}`));
      underWay.push(applied);
      await Promise.race([applied, delay(MAX_WAIT_MS)]);
    }
    await Promise.all(underWay);
  }
}
