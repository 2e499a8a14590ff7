import { Anchor, Group, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import { ledgerOf, type Ledger as LedgerView } from '../../api/ledger';
import { formatPercent } from '../../ui/format';
import { useTab } from '../../ui/use-tab';
import { Differences, FileTable, OwnLines, Pieces } from './ledger-figures';
import { ready } from '../../ui/ready';

/** Traces every line of each source: figures per file, and each difference with its wording (X1). */
export default function Ledger({ sessionId }: { sessionId: string }) {
  const { t, language } = useTranslation();
  const [data, instead] = ready(useQuery(ledgerOf(sessionId)));
  const [filter, setFilter] = useTab('all', 'sources');
  const onlyOpen = filter === 'incomplete';
  if (instead) return instead;
  if (data === null) return <Text c="dimmed">{t('ledger.none')}</Text>;
  const files = worstFirst(data.files).filter(({ coverage }) => !onlyOpen || coverage < 1);
  return (
    <Stack>
      <Group justify="space-between">
        <div>
          <Text fw={600}>{t('ledger.carried', { share: formatPercent(data.coverage) })}</Text>
          <Text size="sm" c="dimmed">
            {data.word
              ? t('ledger.shown', { share: formatPercent(data.word.coverage) })
              : t('ledger.notRead')}
          </Text>
        </div>
        <Group gap="lg">
          <Switch
            label={t('ledger.onlyOpen')}
            checked={onlyOpen}
            onChange={(event) => setFilter(event.currentTarget.checked ? 'incomplete' : null)}
          />
          <Anchor
            href={`/api/sessions/${sessionId}/ledger?format=html&language=${language}`}
            target="_blank"
            rel="noreferrer"
          >
            {t('ledger.page')}
          </Anchor>
        </Group>
      </Group>
      <FileTable files={files} ledger={data} />
      <Pieces files={files} />
      <OwnLines ledger={data} />
      <Differences ledger={data} />
    </Stack>
  );
}

/** Sorts files: those with nothing carried first, then by missing bytes. */
function worstFirst(files: LedgerView['files']): LedgerView['files'] {
  const missing = ({ bytes, altered, unaccounted }: LedgerView['files'][number]) =>
    bytes?.missing ?? altered + unaccounted;
  const absent = ({ lines, altered, unaccounted }: LedgerView['files'][number]) =>
    lines > 0 && altered + unaccounted === lines;
  return [...files].sort((a, b) => Number(absent(b)) - Number(absent(a)) || missing(b) - missing(a));
}
