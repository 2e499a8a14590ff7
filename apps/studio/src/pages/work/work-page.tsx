import { Button, Menu } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useMay } from '../../api/session';
import { WORK_KINDS, type WorkKind, worksOf, type Work } from '../../api/work';
import { useTranslation } from '../../i18n/i18n';
import { useNewWork } from '../../ui/new-work';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { renameBook } from '../../api/books';
import { ListPage } from '../../ui/list-page';
import { Moment } from '../../ui/format';
import { RouteAnchor } from '../../ui/route-links';
import { useRunWords } from '../../ui/run-words';
import { WorkActions } from '../../ui/work-actions';
import { useWorkTitle, WorkAnchor, WorkFailure, WorkState } from '../../ui/work-name';
import { removeBook } from '../books/concept/use-concept';

/** Lists documents, books, articles and plans with their newest state; search and filter are part of the address. */
export default function WorkPage() {
  const { t } = useTranslation();
  const words = useRunWords();
  const titleOf = useWorkTitle();
  const { title, kind } = useSearch({ from: '/shell/work' });
  return (
    <ListPage
      title={kind ? t(`kinds.${kind}`) : t('work.title')}
      query={useInfiniteQuery({ ...worksOf({ title, kind }), placeholderData: keepPreviousData })}
      minWidth={640}
      empty={{ title: t('work.empty'), text: t('work.emptyText') }}
      links={kind === 'article' && <RouteAnchor to="/style">{t('style.title')}</RouteAnchor>}
      action={<NewWork kind={kind} />}
      search={t('list.search')}
      filter={{
        name: 'kind',
        label: t('work.kind'),
        any: t('work.anyKind'),
        values: WORK_KINDS,
        labelOf: (value) => t(`kinds.${value}`),
      }}
      columns={[
        { label: t('documents.name'), cell: (work) => <WorkAnchor work={work} /> },
        { label: t('work.kind'), cell: (work) => words.kind(work.kind) },
        {
          label: t('runs.status'),
          cell: (work) => (
            <>
              <WorkState work={work} />
              <WorkFailure work={work} />
            </>
          ),
        },
        { label: t('work.newest'), cell: ({ changed_at: at }) => <Moment at={at} /> },
        {
          label: t('work.actions'),
          cell: (work) => (
            <WorkActions id={work.id} name={titleOf(work)} run={work.latest_run} {...actionsOf(work)} />
          ),
          isNumber: true,
        },
      ]}
    />
  );
}

const actionsOf = ({ project_id: projectId }: Work) =>
  projectId !== null && {
    rename: (title: string) => renameBook(projectId, title),
    remove: () => removeBook(projectId),
  };

/** Button for a new work of a kind, or menu of all kinds, for users with write access. */
function NewWork({ kind }: { kind: WorkKind | undefined }) {
  const { t } = useTranslation();
  const [begin, dialog] = useNewWork();
  if (!useMay('write')) return null;
  return (
    <>
      {kind ? (
        <Button onClick={() => begin(kind)}>{t(`${kind}s.new`)}</Button>
      ) : (
        <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <Button>{t('work.new')}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {WORK_KINDS.map((each) => (
              <Menu.Item key={each} onClick={() => begin(each)}>
                {t(`${each}s.new`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {dialog}
    </>
  );
}
