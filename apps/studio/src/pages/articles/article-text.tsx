import { Button, Stack, Tabs } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import { articleResults } from '../../api/articles';
import { isOver, type Run } from '../../api/runs';
import { ChangeableText } from '../../ui/changeable-text';
import { TextViews } from '../../ui/reading/text-views';
import { useTab } from '../../ui/use-tab';
import { PlatformPiece } from './platform-piece';
import { isPlatform, PLATFORMS } from './platform-text';
import { useCitedSources } from './use-cited-sources';

const RESULTS = ['article', 'corrected', 'annotated', 'report', ...PLATFORMS] as const;

interface ArticleTextProps {
  run: Run;
  /** Whether the draft is shown for review; then it can only be downloaded here. */
  isUnderReview: boolean;
}

/** Shows the current results of an article, for reading and downloading. */
export function ArticleText({ run, isUnderReview }: ArticleTextProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useTab('');
  const { data: results } = useQuery({
    ...articleResults(run.session_id, `${run.status} ${run.progress.phase}`),
    placeholderData: keepPreviousData,
  });
  const found = RESULTS.flatMap((name) => {
    const text = results?.get(name);
    return text ? [{ name, text }] : [];
  });
  if (found.length === 0) return null;
  const ofRun = found.find(({ name }) => isPlatform(name) === (run.mode === 'repurpose')) ?? found[0]!;
  return (
    // Until the user chooses a result, show the run's own, which may appear after the report.
    <Tabs
      value={found.some(({ name }) => name === chosen) ? chosen : ofRun.name}
      onChange={setChosen}
      keepMounted={false}
    >
      <Tabs.List mb="sm">
        {found.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {t(`articleResult.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {found.map(({ name, text }) => (
        <Tabs.Panel key={name} value={name}>
          <Stack align="stretch" gap="sm">
            <Button
              component="a"
              variant="default"
              w="fit-content"
              href={`/api/sessions/${run.session_id}/results/article/${name}`}
              download={`${name}.md`}
              aria-label={t('export.downloadNamed', { name: t(`articleResult.${name}`) })}
            >
              {t('document.downloadFile')}
            </Button>
            {!(isUnderReview && name === 'article') && <Result run={run} name={name} text={text} />}
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

interface ResultProps {
  run: Run;
  name: (typeof RESULTS)[number];
  text: string;
}

function Result({ run, name, text }: ResultProps) {
  const { t } = useTranslation();
  const sources = useCitedSources(run.id);
  if (isPlatform(name)) return <PlatformPiece platform={name} text={text} />;
  const label = t(`articleResult.${name}`);
  const lines = <TextViews label={label} markdown={text} sessionId={run.session_id} sources={sources} />;
  if (name !== 'article' || !isOver(run)) return lines;
  return (
    <ChangeableText text={{ session_id: run.session_id, of: 'article' }} label={label} content={text}>
      {lines}
    </ChangeableText>
  );
}
