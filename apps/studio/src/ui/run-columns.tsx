import type { TFunction } from 'i18next';
import type { Run } from '../api/runs';
import type { Column } from './list-table';
import { Moment } from './moment';
import { RunStatusBadge } from './run-status-badge';

/** Returns the last columns of lists of runs: status and creation time. */
export const runColumns = (t: TFunction): Column<Run>[] => [
  { label: t('runs.status'), cell: ({ status }) => <RunStatusBadge status={status} /> },
  { label: t('documents.created'), cell: ({ created_at }) => <Moment at={created_at} /> },
];
