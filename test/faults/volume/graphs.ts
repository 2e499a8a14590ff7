import type { Database } from '#db/client.js';
import { Prisma } from '#db/client.js';
import { TinyGraph, type TinyNode } from '#testing/engine/tiny-graph.js';

/** The kinds of run of the volume harness, and what each must have recorded at its end. */
export const KINDS = ['hops', 'fan', 'ask'] as const;
export type Kind = (typeof KINDS)[number];

/** Possible answers of a person; `default` is the answer at the deadline. */
export const ANSWERS = ['red', 'blue'] as const;

/** Each local node represents a model call, and counts its executions. */
export function volumeGraphs(db: Database): ReadonlyMap<Kind, TinyGraph> {
  const call = (name: string): TinyNode => ({
    kind: 'local',
    name,
    async work({ run }) {
      await db.$statement(Prisma.sql`INSERT INTO volume_calls (run_id, node) VALUES (${run.id}, ${name})`);
      return name;
    },
  });
  return new Map([
    [
      'hops',
      new TinyGraph([
        call('a'),
        { kind: 'remote', name: 'b' },
        call('c'),
        { kind: 'remote', name: 'd' },
        call('e'),
      ]),
    ],
    ['fan', new TinyGraph([call('a'), { kind: 'fan-out', name: 'f', items: ['1', '2', '3'] }])],
    ['ask', new TinyGraph([call('a'), { kind: 'human', name: 'q' }, call('z')])],
  ]);
}

/** Names of the local nodes of a kind. */
export const CALLS: Record<Kind, string[]> = { hops: ['a', 'c', 'e'], fan: ['a'], ask: ['a', 'z'] };

/** @param answer content of the person's task, for `ask` */
export function expectedWords(kind: Kind, answer: string | null): string[] {
  switch (kind) {
    case 'hops':
      return ['start', 'a', 'b=done b', 'c', 'd=done d', 'e'];
    case 'fan':
      return ['start', 'a', 'f.1=done 1', 'f.2=done 2', 'f.3=done 3'];
    case 'ask':
      return ['start', 'a', `q=${answer}`, 'z'];
  }
}
