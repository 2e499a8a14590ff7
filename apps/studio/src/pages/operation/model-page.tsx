import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import { checkModel, modelQuery, removeEndpoint, type ModelSettings } from '../../api/model';
import { isBlockingError } from '../../api/query-client';
import { useMay } from '../../api/session';
import { ConfirmButton } from '../../ui/confirm-button';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { EndpointForm } from './endpoint-form';
import { ModelCard } from './model-card';

/** Shows the models that runs use with what they can do, and sets the tenant's own endpoint. */
export function ModelPage() {
  const { t } = useTranslation();
  const isAdmin = useMay('admin');
  const { data, error, isPending, refetch } = useQuery(modelQuery);
  const checking = useMutation({ mutationFn: checkModel });
  return (
    <>
      <PageHeader title={t('model.title')}>
        {isAdmin && data && data.source !== 'none' && (
          <Button variant="default" loading={checking.isPending} onClick={() => checking.mutate()}>
            {t('model.check')}
          </Button>
        )}
      </PageHeader>
      <Stack>
        {error && isBlockingError(error, data) && (
          <ProblemAlert error={error} onRetry={() => void refetch()} />
        )}
        {checking.error && <ProblemAlert error={checking.error} />}
        {isPending && <PageLoader />}
        {data && <Source settings={data} isAdmin={isAdmin} />}
        {data?.models.map((model) => (
          <ModelCard key={model.name} model={model} />
        ))}
        {data && <Embedding settings={data} />}
        {data && isAdmin && (
          // The form starts with the current settings.
          <EndpointForm key={JSON.stringify(data.endpoint)} settings={data} />
        )}
      </Stack>
    </>
  );
}

function Embedding({ settings: { embedding } }: { settings: ModelSettings }) {
  const { t } = useTranslation();
  if (!embedding) return <Text>{t('model.embedding.none')}</Text>;
  return <Text>{t(`model.embedding.${embedding.source}`, { name: embedding.name })}</Text>;
}

function Source({ settings: { source, endpoint }, isAdmin }: { settings: ModelSettings; isAdmin: boolean }) {
  const { t } = useTranslation();
  const removing = useMutation({ mutationFn: removeEndpoint });
  if (source === 'none') return <EmptyState title={t('model.none')} text={t('model.noneText')} />;
  if (!endpoint) return <Text>{t('model.ofInstallation')}</Text>;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text>
          {t('model.ofTenant')} <Code>{endpoint.base_url}</Code>
        </Text>
        {isAdmin && (
          <ConfirmButton
            label={t('model.reset')}
            confirm={t('model.resetNow')}
            consequence={t('model.resetLoses')}
            loading={removing.isPending}
            onConfirm={() => removing.mutate()}
          />
        )}
      </Group>
      {!endpoint.has_key && <Alert color="yellow">{t('model.noKey')}</Alert>}
      {removing.error && <ProblemAlert error={removing.error} />}
    </Stack>
  );
}
