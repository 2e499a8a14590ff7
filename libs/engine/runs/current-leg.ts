import { AsyncLocalStorage } from 'node:async_hooks';
import type { Fence } from './fence.js';

const legs = new AsyncLocalStorage<Fence>();

/** Property of the global object by which a debugger session reads the leg that is computing now; see `BlockWatch`. */
export const CURRENT_LEG = 'scriptoriumCurrentLeg';

Object.defineProperty(globalThis, CURRENT_LEG, { configurable: true, get: () => legs.getStore() ?? null });

/** Executes a leg, so that a watch can name its run if the leg blocks the event loop. */
export const withinLeg = <T>(fence: Fence, execute: () => Promise<T>): Promise<T> => legs.run(fence, execute);
