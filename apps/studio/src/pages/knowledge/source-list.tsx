import { Anchor, Group, Progress, Select, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
import { changeSource, PRIORITIES, removeSource, type Priority, type Source } from '../../api/knowledge';
import { useIsRemaining } from '../../api/removals';
import { useMay } from '../../api/session';
import { ProblemAlert, StateBadge } from '../../ui/frames';
import { usePhrases } from '../../ui/run-words';
import { RemoveLaterButton } from '../../ui/actions';
import { ListTable } from '../../ui/list-table';

/** Lists the sources of a collection with their indexing state and weight (B14, B15). */
export function SourceList({ collectionId, sources: all }: { collectionId: string; sources: Source[] }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const sources = all.filter(useIsRemaining());
  if (sources.length === 0) return <Text c="dimmed">{t('knowledge.noSources')}</Text>;
  return (
    <ListTable
      items={sources}
      minWidth={520}
      columns={[
        { label: t('knowledge.source'), cell: (source) => <Name source={source} at={collectionId} /> },
        { label: t('knowledge.state'), cell: (source) => <Indexing source={source} /> },
        { label: t('knowledge.priority'), cell: (source) => <Weight source={source} /> },
        {
          label: t('knowledge.actions'),
          cell: (source) =>
            mayWrite && (
              <RemoveLaterButton
                id={source.id}
                name={source.title ?? source.name}
                remove={() => removeSource(source)}
              />
            ),
          isNumber: true,
        },
      ]}
    />
  );
}

function Name({ source: { id, title, name, author }, at }: { source: Source; at: string }) {
  return (
    <>
      <Anchor component={Link} to={`/knowledge/${at}/sources/${id}`}>
        {title ?? name}
      </Anchor>
      {author && <Text size="xs" c="dimmed" children={author} />}
    </>
  );
}

function Indexing({ source }: { source: Source }) {
  const { t } = useTranslation();
  const render = usePhrases();
  const { state, chunks, chunks_done: done, problem } = source;
  return (
    <>
      <Group gap="xs">
        <StateBadge state={state} text={t(`sourceState.${state}`)} />
        {chunks > 0 && <Text size="xs">{t('knowledge.passages', { count: chunks })}</Text>}
      </Group>
      {state === 'indexing' && (
        <Progress
          mt={4}
          animated
          value={chunks === 0 ? 5 : (done / chunks) * 100}
          aria-label={t('knowledge.indexing')}
        />
      )}
      {problem && (
        <Text size="xs" className="problem-text">
          {render(source.problem_phrase, problem)}
        </Text>
      )}
    </>
  );
}

function Weight({ source }: { source: Source }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const { mutate, error, isPending } = useMutation({
    mutationFn: (priority: Priority) => changeSource(source, { priority }),
  });
  if (!mayWrite) return t(`priority.${source.priority}`);
  return (
    <>
      <Select
        aria-label={t('knowledge.priorityOf', { name: source.title ?? source.name })}
        size="xs"
        data={PRIORITIES.map((value) => ({ value, label: t(`priority.${value}`) }))}
        value={source.priority}
        disabled={isPending}
        onChange={(value) => value && mutate(value as Priority)}
      />
      {error && <ProblemAlert error={error} />}
    </>
  );
}
