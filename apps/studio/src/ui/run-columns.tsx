import type { TFunction } from 'i18next';
import type { Run } from '../api/runs';
import type { Column } from './list-table';
import { Moment } from './moment';
import { RunStatusBadge } from './run-status-badge';

/** How far a run is, and since when it is there: the columns that lists of runs end with. */
export const runColumns = (t: TFunction): Column<Run>[] => [
  { label: t('runs.status'), cell: ({ status }) => <RunStatusBadge status={status} /> },
  { label: t('documents.created'), cell: ({ created_at }) => <Moment at={created_at} /> },
];
