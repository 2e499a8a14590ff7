import { Badge } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';
import type { Schemas } from '../api/client';

type Status = Schemas['Run']['status'];

const COLORS: Record<Status, string> = {
  queued: 'gray',
  running: 'blue',
  needs_answer: 'yellow',
  completed: 'green',
  failed: 'red',
  cancelled: 'gray',
  rejected: 'orange',
};

/** Shows the status of a run. Only a run that needs an answer stands out by a filled badge. */
export function RunStatusBadge({ status }: { status: Status }) {
  const { t } = useTranslation();
  return (
    <Badge variant={status === 'needs_answer' ? 'filled' : 'dot'} color={COLORS[status]}>
      {t(`runStatus.${status}`)}
    </Badge>
  );
}
