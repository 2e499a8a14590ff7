import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ResearchDetails } from '#article/contract/values.js';
import { decisionsOfRun } from '../../api/decisions';
import type { Cited } from '../../ui/cited-source';

/** Returns the sources of an article by label, from the newest question about its research; empty without one. */
export function useCitedSources(runId: string): ReadonlyMap<string, Cited> {
  const decisions = useQuery(decisionsOfRun(runId)).data?.items;
  return useMemo(() => {
    const newest = decisions?.find(({ decision_type: type }) => type === 'article_research');
    const { sources = [] } = (newest?.details ?? {}) as Partial<ResearchDetails>;
    return new Map(sources.map((source) => [source.label, source]));
  }, [decisions]);
}
