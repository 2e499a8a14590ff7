import type { endpoints, EndpointName } from '#contracts/api/endpoints.js';

type Endpoints = typeof endpoints;
type Posted = {
  [N in EndpointName]: Endpoints[N] extends { method: 'POST' }
    ? Endpoints[N] extends { admin: true } | { open: true }
      ? never
      : N
    : never;
}[EndpointName];
/** Endpoints that accept an `Idempotency-Key`: every POST of a tenant, except streaming ones. */
type KeyedName = Exclude<Posted, 'chatStream' | 'chatResume'>;

/** Reason why an interrupted request can be repeated; `null` if a repeat would take effect twice. */
const REPEATS: Record<KeyedName, 'derived ids' | 'kept with the answer' | 'same end state' | 'reads' | null> =
  {
    issueToken: 'reads',
    createKey: 'kept with the answer',
    rotateKey: 'kept with the answer',
    createSession: 'derived ids',
    uploadInputs: 'same end state',
    orderInputs: 'same end state',
    restoreCheckpoint: null,
    startRun: 'derived ids',
    cancelRun: 'same end state',
    giveEarlyAnswer: 'same end state',
    answerDecision: 'same end state',
    restoreSession: 'derived ids',
    forkSession: 'derived ids',
    promoteFork: 'derived ids',
    createBookProject: 'derived ids',
    stopBook: 'same end state',
    assistProfile: 'reads',
    createChapterOfProject: 'derived ids',
    createChapter: 'derived ids',
    restoreChapterVersion: null,
    decideParagraphs: 'same end state',
    addBookSource: 'same end state',
    uploadBookSources: 'same end state',
    createBookSource: 'same end state',
    createCollection: 'derived ids',
    addSources: 'same end state',
    addTranscript: 'same end state',
    searchKnowledge: 'reads',
    reindexKnowledge: 'same end state',
    importReferences: 'same end state',
    ingestCorpus: 'same end state',
    compareWithCorpus: 'reads',
    startPlan: 'derived ids',
    suggestPlan: 'reads',
    commandPlan: 'derived ids',
    resetToolGraph: null,
    checkTopic: 'reads',
    proposeChange: 'derived ids',
    acceptChange: 'same end state',
    rejectChange: 'same end state',
    registerMcpServer: 'derived ids',
    addSecret: 'derived ids',
    refreshMcpServer: 'same end state',
    approveMcpTools: null,
    checkModel: 'same end state',
    setModelEndpoint: 'same end state',
    createWebhook: 'kept with the answer',
    rotateWebhook: 'kept with the answer',
    testWebhook: null,
    enableWebhook: 'same end state',
    signIn: null,
    signOut: 'same end state',
    createSignInLink: null,
  };

/**
 * Returns whether repeating an interrupted request with the same seed leads to the same result as one
 * request.
 */
export const isRepeatable = (name: EndpointName): boolean =>
  (REPEATS as Partial<Record<EndpointName, unknown>>)[name] !== null;
