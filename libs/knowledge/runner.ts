import type { RunnerDependencies } from '#kit/runner/feature.js';
import type { EmbeddingServices } from './ports/embedding-services.js';

export { meaningOf } from './ports/embedding-services.js';

/** Dependencies of graphs that search collections. */
export interface SearchDependencies extends RunnerDependencies {
  /** Undefined without an embedding endpoint. */
  meaning: EmbeddingServices | undefined;
}
