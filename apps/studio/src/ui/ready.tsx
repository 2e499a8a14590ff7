import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { isBlockingError } from '../api/query-client';
import { PageLoader } from './page-loader';
import { ProblemAlert } from './problem-alert';

/**
 * Returns the data of a query, or what the page shows instead: that it waits, or an error that replaces the data, with a
 * way to try again.
 */
export function ready<Data>({
  data,
  error,
  refetch,
}: UseQueryResult<Data>): [data: Data, instead: null] | [data: undefined, instead: ReactElement] {
  if (isBlockingError(error, data))
    return [undefined, <ProblemAlert key="error" error={error} onRetry={() => void refetch()} />];
  return data === undefined ? [undefined, <PageLoader key="loader" />] : [data, null];
}
