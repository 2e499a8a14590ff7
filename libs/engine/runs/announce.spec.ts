import { jest } from '@jest/globals';
import type { Database, Prisma } from '#db/client.js';
import { announce } from './event-log.js';

describe('X4 notifications of new events', () => {
  // The test moves the clock: on a busy machine more time may pass between two lines than between two notifications.
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** The runs of each notification. */
  function record() {
    const sent: string[][] = [];
    const $statement = ({ values }: Prisma.Sql) => {
      sent.push(values.at(-1) as string[]);
      return Promise.resolve([]);
    };
    return { db: { $statement } as unknown as Database, sent };
  }

  it('are sent at once, and include the steps that wait', () => {
    const { db, sent } = record();
    announce(db, 'step', true);
    announce(db, 'step', true);
    expect(sent).toEqual([]);
    announce(db, 'end');
    expect(sent).toEqual([['step', 'end']]);
  });

  it('of steps alone are sent too, and those that follow the first one are sent together', () => {
    const { db, sent } = record();
    announce(db, 'step', true);
    jest.runOnlyPendingTimers();
    expect(sent).toEqual([['step']]);
    announce(db, 'a');
    announce(db, 'b');
    expect(sent).toEqual([['step']]);
    jest.runOnlyPendingTimers();
    expect(sent).toEqual([['step'], ['a', 'b']]);
  });
});
