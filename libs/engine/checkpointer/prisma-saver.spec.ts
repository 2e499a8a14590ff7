import { createDatabase, type Database } from '#db/client.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { deltaChannelHistoryTests, specTest } from '@langchain/langgraph-checkpoint-validation';
import { PrismaSaver } from './prisma-saver.js';

// The suite was written for vitest: jest has no soft expectations, a hard one is stricter.
Object.assign(expect, { soft: expect });

let testDatabase: TestDatabase;
let db: Database;

const initializer = {
  checkpointerName: 'PrismaSaver (D19: the official conformance suite)',
  beforeAll: async () => {
    testDatabase = await createTestDatabase();
    db = createDatabase(testDatabase.url);
  },
  afterAll: async () => {
    await db.$disconnect();
    await testDatabase.drop();
  },
  createCheckpointer: () => new PrismaSaver(db),
  destroyCheckpointer: async () => {
    await db.$executeRaw`TRUNCATE graph_checkpoints, graph_blobs, graph_writes`;
  },
};

type Initializer = Parameters<typeof specTest>[0];
// The suite is typed for savers with numeric versions; string versions are as legal.
const suite = initializer as unknown as Initializer;
specTest(suite);
deltaChannelHistoryTests(suite);
