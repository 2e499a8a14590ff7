import dagre from '@dagrejs/dagre';
import { useComputedColorScheme } from '@mantine/core';
import { Background, Controls, MarkerType, ReactFlow, type Edge, type Node } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useMemo } from 'react';
import { dependenciesOf } from '#plan/contract/dependencies.js';
import { useTranslation } from '../../i18n/i18n';
import type { Plan } from '../../api/plans';

const WIDTH = 190;
const HEIGHT = 76;

interface PlanGraphProps {
  plan: Plan;
  /** Ids of the original plan steps; later ones are marked. Null while unknown. */
  planned: ReadonlySet<string> | null;
  running: ReadonlySet<string>;
}

type TaskState = 'completed' | 'failed' | 'skipped' | 'running' | 'waiting' | 'not_run';

/** Shows the plan steps and their dependencies; loaded lazily. */
export default function PlanGraph({ plan, planned, running }: PlanGraphProps) {
  const { t } = useTranslation();
  const scheme = useComputedColorScheme();
  const { nodes, edges } = useMemo(() => {
    const results = new Map(plan.results.map((result) => [result.task_id, result.status]));
    const openState = plan.finished_at === null ? 'waiting' : 'not_run';
    const stateOf = (id: string): TaskState => results.get(id) ?? (running.has(id) ? 'running' : openState);
    return layOut(plan, (id) => {
      const added = planned !== null && !planned.has(id);
      const state = stateOf(id);
      return {
        state,
        added,
        note: added ? `${t(`taskState.${state}`)} · ${t('plans.added')}` : t(`taskState.${state}`),
      };
    });
  }, [plan, planned, running, t]);
  return (
    <div className="plan-graph" role="group" aria-label={t('plans.graph')}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        colorMode={scheme}
        fitView
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}

interface Look {
  state: TaskState;
  added: boolean;
  note: string;
}

function layOut(plan: Plan, look: (id: string) => Look): { nodes: Node[]; edges: Edge[] } {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 30, ranksep: 50 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of plan.tasks) graph.setNode(id, { width: WIDTH, height: HEIGHT });
  const edges = plan.tasks.flatMap((task) => dependenciesOf(task).map((need) => ({ need, id: task.id })));
  for (const { need, id } of edges) graph.setEdge(need, id);
  dagre.layout(graph);
  return {
    nodes: plan.tasks.map(({ id, tool }) => {
      const { x, y } = graph.node(id);
      const { state, added, note } = look(id);
      return {
        id,
        position: { x: x - WIDTH / 2, y: y - HEIGHT / 2 },
        ariaLabel: `${id}, ${tool}, ${note}`,
        className: `plan-task plan-task-${state}${added ? ' plan-task-added' : ''}`,
        style: { width: WIDTH, height: HEIGHT },
        data: {
          label: (
            <>
              <strong>{id}</strong>
              <br />
              {tool}
              <br />
              <em>{note}</em>
            </>
          ),
        },
      };
    }),
    edges: edges.map(({ need, id }) => ({
      id: `${need}/${id}`,
      source: need,
      target: id,
      markerEnd: { type: MarkerType.ArrowClosed },
    })),
  };
}
