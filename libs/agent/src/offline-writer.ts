import { FakeListChatModel } from '@langchain/core/utils/testing';
import type { OfflineWriter } from './ports.js';

/** How the writer without a model is named wherever a model is named. */
export const OFFLINE_WRITER_LABEL = 'offline writer (rules, no model)';

/** For kinds whose nodes work by rules while there is no model, and never ask this one. */
export const rulesOnly: OfflineWriter = {
  label: OFFLINE_WRITER_LABEL,
  model: new FakeListChatModel({ responses: [''] }),
};
