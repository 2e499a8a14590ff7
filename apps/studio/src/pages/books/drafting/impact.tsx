import { Alert, List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/i18n';
import { impactOf } from '../../../api/chapters';
import { isBlockingError } from '../../../api/query-client';
import { ProblemAlert } from '../../../ui/problem-alert';
import { RouteAnchor } from '../../../ui/route-links';

interface ImpactProps {
  chapterId: string;
  from: number;
  to: number;
}

/** Lists the facts that a change of a chapter affects, and the chapters that rely on them. */
export function Impact({ chapterId, from, to }: ImpactProps) {
  const { t } = useTranslation();
  const { projectId } = useParams({ from: '/shell/books/$projectId/$step' });
  const { data, error } = useQuery(impactOf(chapterId, from, to));
  if (isBlockingError(error, data)) return <ProblemAlert error={error} />;
  if (!data || data.changed.length === 0) return null;
  return (
    <Alert
      color={data.affected.length > 0 ? 'yellow' : 'gray'}
      title={t('impact.title', { count: data.changed.length })}
    >
      <List size="sm">
        {data.changed.map(({ text, change, kind }) => (
          <List.Item key={`${change}/${kind}/${text}`}>
            {change === 'removed' ? <del>{text}</del> : <ins>{text}</ins>}
          </List.Item>
        ))}
      </List>
      {data.affected.map(({ chapter_id: id, number, title, relies_on: facts }) => (
        <div key={id}>
          <RouteAnchor
            to="/books/$projectId/$step"
            params={{ projectId, step: 'drafting' }}
            search={{ chapter: id }}
          >
            {number}. {title}
          </RouteAnchor>{' '}
          {t('impact.reliesOn', { facts: facts.map(({ text }) => text).join(', ') })}
        </div>
      ))}
    </Alert>
  );
}
