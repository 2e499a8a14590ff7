import type { Database, Prisma } from '#db/client.js';
import { announce } from './announce.js';

describe('X4 notifications of new events', () => {
  /** The runs of each notification, and the promise of the next one. */
  function record() {
    const sent: string[][] = [];
    let next: () => void = () => undefined;
    const $statement = ({ values }: Prisma.Sql) => {
      sent.push(values.at(-1) as string[]);
      next();
      return Promise.resolve([]);
    };
    const some = () => new Promise<void>((resolve) => (next = resolve));
    return { db: { $statement } as unknown as Database, sent, some };
  }

  it('are sent at once, and include the steps that wait', () => {
    const { db, sent } = record();
    announce(db, 'step', true);
    announce(db, 'step', true);
    expect(sent).toEqual([]);
    announce(db, 'end');
    expect(sent).toEqual([['step', 'end']]);
  });

  it('of steps alone are sent too, and those that follow the first one are sent together', async () => {
    const { db, sent, some } = record();
    announce(db, 'step', true);
    await some();
    expect(sent).toEqual([['step']]);
    announce(db, 'a');
    announce(db, 'b');
    await some();
    expect(sent).toEqual([['step'], ['a', 'b']]);
  });
});
