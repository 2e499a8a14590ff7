import { Badge, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import {
  corpusTextsQuery,
  fingerprintQuery,
  type CorpusText,
  addTexts,
  SOURCE_TYPES,
  type Fingerprint,
} from '../../api/corpus';
import { useMay } from '../../api/session';
import { ListPage } from '../../ui/list-page';
import { formatLanguage, formatNumber, formatMeasure, Moment } from '../../ui/format';
import { RouteAnchor } from '../../ui/route-links';
import { AddFilesAs } from '../../ui/add-files-as';
import { ListTable } from '../../ui/list-table';
import { Heading, StateBadge } from '../../ui/frames';

/** Shows the texts of the style corpus, and their common features (A6). */
export default function StylePage() {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const { data: fingerprint } = useQuery(fingerprintQuery);
  return (
    <>
      <ListPage
        title={t('style.title')}
        links={
          <RouteAnchor to="/work" search={{ kind: 'article' }}>
            {t('kinds.article')}
          </RouteAnchor>
        }
        query={useInfiniteQuery(corpusTextsQuery)}
        minWidth={520}
        empty={{ title: t('style.empty'), text: t('style.emptyText') }}
        action={mayWrite && <AddTexts />}
        columns={[
          { label: t('style.text'), cell: ({ title, name }) => title ?? name },
          { label: t('style.type'), cell: ({ source_type }) => t(`sourceType.${source_type}`) },
          { label: t('style.language'), cell: ({ language }) => language && formatLanguage(language) },
          { label: t('runs.status'), cell: (text) => <State text={text} /> },
          { label: t('documents.created'), cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
      {fingerprint && <CommonStyle fingerprint={fingerprint} />}
    </>
  );
}

function State({ text: { state, problem } }: { text: CorpusText }) {
  const { t } = useTranslation();
  return <StateBadge state={state} text={problem ?? t(`sourceState.${state}`)} />;
}

/** Adds files to the style corpus: the tenant's texts, or examples by others. */
function AddTexts() {
  const { t } = useTranslation();
  return (
    <AddFilesAs
      label={t('style.add')}
      choiceLabel={t('style.type')}
      choices={SOURCE_TYPES.map((value) => ({ value, label: t(`sourceType.${value}`) }))}
      initial="own"
      onAdd={addTexts}
    />
  );
}

/** Habits shown as words, each with its frequency in the corpus. */
const HABITS = ['quotation_marks', 'dash', 'ellipsis', 'decimal_mark', 'thousands', 'apostrophe'] as const;

/** Shows a corpus's style: the mean of each measure with its spread over the texts, and habits as words (A6). */
function CommonStyle({ fingerprint }: { fingerprint: Fingerprint }) {
  const { t } = useTranslation();
  const nameOf = (name: string) => t(`measure.${name}`, { defaultValue: name.replaceAll('_', ' ') });
  return (
    <Stack component="section" mt="xl" gap="sm" aria-label={t('style.fingerprint')}>
      <Heading>{t('style.fingerprint')}</Heading>
      <Text size="sm">
        {t('style.of', { count: fingerprint.texts, words: formatNumber(fingerprint.words) })}
      </Text>
      <ListTable
        items={Object.entries(fingerprint.measures)}
        minWidth={420}
        columns={[
          { label: t('shadow.measure'), cell: ([name]) => nameOf(name) },
          { label: t('style.mean'), cell: ([, { mean }]) => formatMeasure(mean, 2), isNumber: true },
          { label: t('style.spread'), cell: ([, { spread }]) => formatMeasure(spread, 2), isNumber: true },
        ]}
      />
      {HABITS.map((habit) => (
        <Habit key={habit} name={t(`habit.${habit}`)} forms={fingerprint.habits[habit]} />
      ))}
    </Stack>
  );
}

function Habit({ name, forms }: { name: string; forms: readonly { form: string; times: number }[] }) {
  if (forms.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm">{name}</Text>
      {forms.slice(0, 4).map(({ form, times }) => (
        <Badge key={form} variant="default" size="sm">
          {form} × {times}
        </Badge>
      ))}
    </Group>
  );
}
