/**
 * Loaded before an app of the harness (`node --import`): ends or stops its own process right before a statement is sent, or
 * right after it was committed and before the app hears of it. `FAULTS_DIR` names a folder with two others: a file in `armed`,
 * named after when and where, holds the signal; the process that comes there first moves it to `fired`.
 */
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import pg from 'pg';
import { firedName, type When } from './commit-signals.js';
import { commitPointOf, runIdIn } from './statement-names.js';

type Query = (...args: unknown[]) => unknown;
type Callback = (error: unknown, result: unknown) => void;

const dir = process.env['FAULTS_DIR'];

function reach(when: When, point: string, values: unknown[]): void {
  const name = `${when} ${point}`;
  const fired = join(dir!, 'fired', firedName({ when, point, pid: process.pid, runId: runIdIn(values) }));
  try {
    renameSync(join(dir!, 'armed', name), fired);
  } catch {
    return; // not armed, or another process was first
  }
  process.kill(process.pid, readFileSync(fired, 'utf8') as NodeJS.Signals);
}

function hook(original: Query): Query {
  return function (this: unknown, ...args: unknown[]) {
    const query = args[0] as { text?: string; values?: unknown[] } | string;
    const text = typeof query === 'string' ? query : query?.text;
    const point = typeof text === 'string' ? commitPointOf(text) : undefined;
    if (point === undefined) return original.apply(this, args);
    const values = (typeof query === 'string' ? undefined : query.values) ?? args.find(Array.isArray) ?? [];
    reach('before', point, values);
    const last = args.at(-1);
    if (typeof last !== 'function')
      return (original.apply(this, args) as Promise<unknown>).then((result) => {
        reach('after', point, values);
        return result;
      });
    const hear: Callback = (error, result) => {
      if (!error) reach('after', point, values);
      (last as Callback)(error, result);
    };
    return original.apply(this, [...args.slice(0, -1), hear]);
  };
}

if (dir !== undefined && isMainThread) {
  const client = pg.Client.prototype as { query: Query };
  client.query = hook(client.query);
}
