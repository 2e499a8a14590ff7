import { GARBAGE } from '#testing/garbage.js';
import type { StubFault } from '#testing/model-stub.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, Target } from './fault.js';
import type { ProxyFault } from './fault-proxy.js';
import type { Chance } from './random.js';
import type { OwnServers } from './servers.js';

/** Time limit in seconds of the apps for an answer of the model. */
export const MODEL_TIMEOUT_SECONDS = 5;
const SLOW_MS = 4_000;
const TOO_SLOW_MS = 7_000;

const MODEL_ERRORS: StubFault[] = [
  { status: 429, retryAfter: '0' },
  { status: 500 },
  { status: 503 },
  { cutAfter: 1 },
  { cutAfter: 3, gently: true },
];

/** Whether a request with this fault gets a complete answer in time. */
export const isAnswered = (fault: StubFault): boolean =>
  'garbage' in fault || ('delayMs' in fault && fault.delayMs < MODEL_TIMEOUT_SECONDS * 1_000);

/** Disturbs every other one of the next requests to the model. */
function spoilModel({ modelFaults, modelRequests }: Target, faults: StubFault[]): Promise<void> {
  const next = modelRequests() + 1;
  faults.forEach((fault, index) => (modelFaults[next + index * 2] = fault));
  return Promise.resolve();
}

async function spoilStore({ servers }: Target, fault: ProxyFault, ms: number): Promise<void> {
  servers.store.setFault!(fault);
  await delay(ms);
  servers.store.setFault!(null);
}

const hasConnections = ({ store }: OwnServers) => store.setFault !== null;
const stored = (name: string, fault: (chance: Chance) => ProxyFault): Fault => ({
  name,
  weight: 1,
  isPossible: hasConnections,
  apply: (target, chance) => spoilStore(target, fault(chance), chance.between(300, 1_500)),
});

/** Faults of external servers: the model and the object store. */
export const OUTSIDE_FAULTS: Fault[] = [
  {
    name: 'errors of the model',
    weight: 2,
    apply: (target, chance) =>
      spoilModel(
        target,
        [1, 2, 3].map(() => chance.pick(MODEL_ERRORS)),
      ),
  },
  {
    name: 'garbage of the model',
    weight: 3,
    apply: (target, chance) =>
      spoilModel(
        target,
        GARBAGE.map(() => ({ garbage: chance.pick(GARBAGE) })),
      ),
  },
  { name: 'slow model', weight: 1, apply: (target) => spoilModel(target, [{ delayMs: SLOW_MS }]) },
  {
    name: 'time-out of the model',
    weight: 1,
    apply: (target) => spoilModel(target, [{ delayMs: TOO_SLOW_MS }]),
  },
  stored('object store down', () => ({ kind: 'refuse' })),
  stored('object store slow', (chance) => ({ kind: 'delay', ms: chance.between(50, 400) })),
  stored('object store cut half-way', (chance) => ({ kind: 'cut', bytes: chance.between(200, 4_000) })),
  {
    name: 'full disk of the object store',
    weight: 1,
    isPossible: ({ store }) => store.fillDisk !== null,
    async apply({ servers }, chance) {
      await servers.store.fillDisk!(true);
      await delay(chance.between(300, 1_500));
      await servers.store.fillDisk!(false);
    },
  },
];
