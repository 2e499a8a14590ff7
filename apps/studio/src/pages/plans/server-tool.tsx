import { Badge, Button, Group, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import type { McpTool } from '../../api/mcp-servers';
import { BeforeAfter } from '../../ui/before-after';
import { Hint } from '../../ui/card';

const COLOURS = { approved: 'green', changed: 'orange', new: 'blue', gone: 'gray' } as const;

interface ServerToolProps {
  tool: McpTool;
  /** Null if the tool needs no approval, or the user may not give it. */
  onApprove: (() => void) | null;
}

/** Shows a tool with its server's description; if that has changed, also the approved one. */
export function ServerTool({ tool, onApprove }: ServerToolProps) {
  const { t } = useTranslation();
  const { name, description, approved_description: approved } = tool;
  return (
    <section aria-label={name}>
      <Group gap="sm">
        <Text fw={600} ff="monospace" size="sm">
          {name}
        </Text>
        <Badge size="sm" variant="dot" color={COLOURS[tool.status]}>
          {t(`toolStatus.${tool.status}`)}
        </Badge>
        {tool.side_effects && (
          <Badge size="sm" variant="default">
            {t('tools.sideEffects')}
          </Badge>
        )}
        {!tool.is_allowed && <Hint size="xs">{t('servers.notAllowed')}</Hint>}
        {onApprove && (
          <Button
            size="compact-xs"
            variant="light"
            aria-label={`${t('servers.approve')}: ${name}`}
            onClick={onApprove}
          >
            {t('servers.approve')}
          </Button>
        )}
      </Group>
      {tool.status === 'changed' && approved !== null ? (
        <BeforeAfter before={approved} after={description} isSource />
      ) : (
        <Text size="sm">{description}</Text>
      )}
    </section>
  );
}
