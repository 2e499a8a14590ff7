/**
 * Kills or stops its own process right before a statement is sent, or right after the commit but before the app learns of
 * it; load it before the app (`node --import`). The folder `FAULTS_DIR` contains two others. A file in `armed`, named after
 * time and commit point, contains the signal; the first process to reach that point moves the file to `fired`.
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

interface Statement {
  text?: string;
  values?: unknown[];
}

/** A configuration, or statements that are sent together; see `libs/db/one-transaction.ts`. */
type Sent = string | (Statement & { statements?: Statement[] });

/** Returns the commit points of a message with the values of their statements. */
function pointsOf(sent: Sent, args: unknown[]): { point: string; values: unknown[] }[] {
  const statements = typeof sent === 'string' ? [{ text: sent }] : (sent?.statements ?? [sent]);
  return statements.flatMap((statement: Statement) => {
    const point = typeof statement?.text === 'string' ? commitPointOf(statement.text) : undefined;
    const values = statement?.values ?? args.find(Array.isArray) ?? [];
    return point === undefined ? [] : { point, values };
  });
}

function hook(original: Query): Query {
  return function (this: unknown, ...args: unknown[]) {
    const points = pointsOf(args[0] as Sent, args);
    if (points.length === 0) return original.apply(this, args);
    const reachAll = (when: When) => {
      for (const { point, values } of points) reach(when, point, values);
    };
    reachAll('before');
    const last = args.at(-1);
    if (typeof last !== 'function')
      return (original.apply(this, args) as Promise<unknown>).then((result) => {
        reachAll('after');
        return result;
      });
    const hear: Callback = (error, result) => {
      if (!error) reachAll('after');
      (last as Callback)(error, result);
    };
    return original.apply(this, [...args.slice(0, -1), hear]);
  };
}

if (dir !== undefined && isMainThread) {
  const client = pg.Client.prototype as { query: Query };
  client.query = hook(client.query);
}
