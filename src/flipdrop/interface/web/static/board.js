// Vue component: draws a DisplayedBoard (schemas.py) as SVG and emits clicks and keys.
// It knows no rules: legal moves, landing cells and proven values come with the view.
// A cell is 100 units wide; colours and animations are in style.css.

const CELL = 100;
const RADIUS = 41;
const HOLE = 40;
const FRAME = 42; // border with the names of rows and columns
const RIM = 20; // border without names
const FLIP_STAGGER = 55; // ms by which each ring of flipped discs around the placed one starts later
const FALL_TIME = 150; // ms for a fall of one row; grows with the square root of the rows
const COLUMNS = "123456789abc"; // names of the columns in Connect Four
const FADED = 0.3; // lost win probability from which the value of a move is drawn faintest
const TEXT_FIELDS = ["input", "textarea", "select"];
const SOUND = "flipdrop-sound"; // in localStorage: "1" for sounds
let boards = 0;
let audio = null;

function playSound() {
  // A short knock, like a disc on wood.
  if (localStorage.getItem(SOUND) !== "1") return;
  audio = audio ?? new AudioContext();
  const [tone, volume, now] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
  tone.type = "triangle";
  tone.frequency.setValueAtTime(320, now);
  tone.frequency.exponentialRampToValueAtTime(90, now + 0.07);
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}

export default {
  props: {
    view: Object,
    active: Boolean, // a person may move
    scores: Boolean, // values of the analysis are written on the moves
    visits: Boolean, // visits are written below the values
    preview: Boolean, // a position that is not on the board yet
    editing: Boolean, // any cell may be clicked
    history: Boolean, // arrow keys step through the record instead of moving the cursor
    keyboard: { type: Boolean, default: true },
    hint: { type: Number, default: null }, // the cell of a move to try
    numbers: { type: Object, default: () => ({}) }, // written on cells, by cell
    labels: Object, // accessible names: of the board, of moves, of cells and what they hold
  },
  emits: ["move", "cell", "paint", "step", "undo"],

  template: `
    <div class="fd-board" :class="[view.kind, { active, editing, preview, over: view.over }]" :style="{ '--ratio': wide / high }">
      <svg :viewBox="[0, 0, wide, high].join(' ')" role="group" :aria-label="labels.board" :data-version="view.version"
           @mouseleave="hovered = null">
        <defs>
          <radialGradient v-for="side in ['first', 'second']" :key="side" :id="name(side)" cx="38%" cy="32%" r="75%">
            <stop offset="0" :class="'fd-light-' + side" />
            <stop offset="1" :class="'fd-deep-' + side" />
          </radialGradient>
          <clipPath :id="name('inside')"><rect :x="left" :y="top" :width="inner" :height="tall" rx="14" /></clipPath>
        </defs>

        <rect class="fd-frame" :width="wide" :height="high" />
        <g class="fd-names" aria-hidden="true">
          <text v-for="(label, i) in columnNames" :key="'c' + i" :x="x(i)" :y="isDrop ? high - 13 : 28">{{ label }}</text>
          <text v-for="(label, i) in rowNames" :key="'r' + i" :x="FRAME / 2" :y="y(i * view.columns) + 9">{{ label }}</text>
        </g>

        <template v-if="!isDrop">
          <rect class="fd-felt" :x="left" :y="top" :width="inner" :height="tall" rx="10" />
          <path class="fd-grid" :d="grid" />
          <circle v-for="(p, i) in stars" :key="'s' + i" class="fd-star" :cx="p[0]" :cy="p[1]" r="6" />
        </template>
        <rect v-else class="fd-back" :x="left" :y="top" :width="inner" :height="tall" rx="14" />

        <g :clip-path="isDrop ? 'url(#' + name('inside') + ')' : null">
          <circle v-if="ghost !== null" class="fd-ghost" :cx="x(ghost)" :cy="y(ghost)" :r="RADIUS" :fill="fill(view.turn)" />
          <g v-for="disc in discs" :key="disc.key" :class="disc.name" :style="disc.style">
            <circle v-if="!isDrop" class="fd-shade" :cx="x(disc.cell)" :cy="y(disc.cell) + 4" :r="RADIUS + 1" />
            <circle v-if="disc.from" class="fd-disc fd-turning" :cx="x(disc.cell)" :cy="y(disc.cell)" :r="RADIUS"
                    :fill="fill(disc.from)" />
            <circle class="fd-disc" :class="disc.side" :cx="x(disc.cell)" :cy="y(disc.cell)" :r="RADIUS"
                    :fill="fill(disc.side)" />
          </g>
        </g>

        <template v-if="isDrop">
          <rect v-if="column !== null" class="fd-column" :x="left + column * CELL" :y="top" :width="CELL" :height="tall" />
          <path class="fd-face" fill-rule="evenodd" :d="face" />
          <path class="fd-rims" :d="holes" />
        </template>

        <g v-for="cell in forbidden" :key="'f' + cell" class="fd-forbidden">
          <circle :cx="x(cell)" :cy="y(cell)" :r="HOLE" />
          <path :d="cross(cell)" />
        </g>
        <circle v-for="cell in hinted" :key="'h' + cell" class="fd-hint" :cx="x(cell)" :cy="y(cell)" r="11" />
        <g v-for="m in scored" :key="'m' + m.cell" class="fd-score" :class="m.tone" :style="{ opacity: m.strength }">
          <circle v-if="m.best" class="fd-best" :cx="x(m.cell)" :cy="y(m.cell)" r="43" />
          <rect v-if="m.proven" class="fd-proven" :x="x(m.cell) - 38" :y="y(m.cell) - 24" width="76" height="48" rx="24" />
          <text :x="x(m.cell)" :y="y(m.cell) + (m.below ? 3 : m.size / 3)" :font-size="m.size">{{ m.text }}</text>
          <text v-if="m.below" class="fd-below" :x="x(m.cell)" :y="y(m.cell) + 29">{{ m.below }}</text>
        </g>
        <circle v-if="hint !== null" class="fd-advice" :cx="x(hint)" :cy="y(hint)" r="43" />
        <g v-for="(number, cell) in numbers" :key="'n' + cell" class="fd-move-number" :class="view.cells[cell]" aria-hidden="true">
          <text :x="x(Number(cell))" :y="y(Number(cell)) + 13">{{ number }}</text>
        </g>
        <circle v-if="last !== null && !numbers[last]" :key="'l' + last" class="fd-last" :class="view.cells[last]" :cx="x(last)" :cy="y(last)" r="9" />
        <g v-if="view.winning_line.length" class="fd-line">
          <circle v-for="cell in view.winning_line" :key="'w' + cell" :class="view.cells[cell]" :cx="x(cell)" :cy="y(cell)" :r="RADIUS - 8" />
        </g>
        <rect v-if="cursor !== null" class="fd-cursor" :x="x(cursor) - 46" :y="y(cursor) - 46" width="92"
              height="92" rx="14" />

        <rect v-for="(mark, cell) in view.cells" :key="'k' + cell" class="fd-hit" :x="x(cell) - 50" :y="y(cell) - 50"
              width="100" height="100" :data-cell="cell" :data-disc="mark" :data-move="moveAt[cell]"
              :class="{ can: editing || (active && landingCell(cell) !== undefined) }"
              :role="editing || (active && moveAt[cell]) ? 'button' : 'img'" :aria-label="label(mark, cell)"
              :tabindex="keyboard && cell === tabStop ? 0 : -1"
              @mouseenter="enter(cell, $event)" @mousedown.prevent="pressed = cell" @click="click(cell)" @focus="cursor = cell"
              @blur="cursor = null" />
      </svg>
    </div>`,

  data() {
    boards += 1;
    return { number: boards, hovered: null, pressed: null, cursor: null, animations: {}, CELL, RADIUS, HOLE, FRAME };
  },

  computed: {
    isDrop() {
      return this.view.kind === "connect4";
    },
    left() {
      return this.isDrop ? RIM : FRAME;
    },
    top() {
      return this.isDrop ? RIM : FRAME;
    },
    inner() {
      return this.view.columns * CELL;
    },
    tall() {
      return this.view.rows * CELL;
    },
    wide() {
      return this.inner + this.left + RIM;
    },
    high() {
      return this.tall + this.top + (this.isDrop ? FRAME : RIM);
    },
    columnNames() {
      const names = Array.from({ length: this.view.columns }, (_, i) => i);
      return names.map((i) => (this.isDrop ? COLUMNS[i] : String.fromCharCode(97 + i)));
    },
    rowNames() {
      return this.isDrop ? [] : Array.from({ length: this.view.rows }, (_, i) => String(i + 1));
    },
    grid() {
      const { left, top, inner, tall } = this;
      let path = "";
      for (let i = 1; i < this.view.columns; i++) path += `M${left + i * CELL} ${top}v${tall}`;
      for (let i = 1; i < this.view.rows; i++) path += `M${left} ${top + i * CELL}h${inner}`;
      return path;
    },
    stars() {
      const size = this.view.columns;
      if (size < 6) return [];
      const at = [2, size - 2].map((i) => FRAME + i * CELL);
      return at.flatMap((a) => at.map((b) => [a, b]));
    },
    holes() {
      const circle = (cell) => `M${this.x(cell) - HOLE} ${this.y(cell)}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0a${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0`;
      return this.view.cells.map((_, cell) => circle(cell)).join("");
    },
    face() {
      const { left, top, inner, tall } = this;
      return `M${left - 4} ${top - 4}h${inner + 8}v${tall + 8}h${-inner - 8}z${this.holes}`;
    },
    moveAt() {
      return Object.fromEntries(this.view.legal.filter((m) => m.cell !== null).map((m) => [m.cell, m.move]));
    },
    byColumn() {
      return Object.fromEntries(this.view.legal.filter((m) => m.cell !== null).map((m) => [m.cell % this.view.columns, m.cell]));
    },
    forbidden() {
      return this.view.cells.flatMap((mark, cell) => (mark === "forbidden" ? [cell] : []));
    },
    last() {
      const last = this.view.last;
      return last && last.cell !== null && last.cell !== undefined && !last.passed ? last.cell : null;
    },
    hinted() {
      if (!this.active || this.isDrop) return [];
      const scored = new Set(this.scored.map((m) => m.cell));
      return this.view.legal.map((m) => m.cell).filter((cell) => cell !== null && !scored.has(cell) && cell !== this.ghost);
    },
    tabStop() {
      // The one cell that the Tab key reaches; arrow keys reach the others.
      const { rows, columns } = this.view;
      return this.cursor ?? Math.floor(rows / 2) * columns + Math.floor(columns / 2);
    },
    target() {
      // The cell in which a click or the Enter key would place a disc.
      if (!this.active || this.editing) return null;
      const at = this.hovered ?? this.cursor;
      const reached = at === null ? undefined : this.landingCell(at);
      return reached === undefined ? null : reached;
    },
    ghost() {
      return this.target !== null && !this.scored.some((m) => m.cell === this.target) ? this.target : null;
    },
    column() {
      if (this.editing || !this.active) return null;
      return this.target === null ? null : this.target % this.view.columns;
    },
    scored() {
      if (!this.scores || !this.view.analysis || this.view.over) return [];
      const moves = this.view.analysis.moves.filter((m) => m.cell !== null && m.cell !== undefined);
      const best = moves.find((m) => m.best);
      return moves.map((m) => {
        const text = (m.text ?? "").replace("-", "−");
        const size = (text.length > 5 ? 22 : text.length > 4 ? 26 : text.length > 3 ? 31 : 36) - (m.proven ? 3 : 0);
        const sign = m.value > 0 ? "good" : m.value < 0 ? "bad" : "even";
        return {
          ...m,
          text,
          size: this.visits ? size - 4 : size,
          below: this.visits && m.visits ? this.compact(m.visits) : "",
          tone: [sign, { best: m.best, proven: m.proven }],
          strength: !best || m.proven || m.text === best.text ? 1 : 1 - 0.25 * Math.min(1, Math.max(0, best.win_probability - m.win_probability) / FADED),
        };
      });
    },
    discs() {
      return this.view.cells.flatMap((side, cell) => {
        if (side !== "first" && side !== "second") return [];
        const animation = this.animations[cell] || {};
        return [{ cell, side, key: `d${cell}:${animation.at || 0}`, name: animation.name, from: animation.from, style: animation.style }];
      });
    },
  },

  watch: {
    view(now, before) {
      if (now.game !== before.game || now.id !== before.id) {
        this.animations = {};
        this.cursor = null;
        return;
      }
      const changed = now.cells.flatMap((side, cell) => (side !== before.cells[cell] ? [cell] : []));
      if (!changed.length) return;
      if (changed.some((cell) => now.cells[cell])) playSound();
      const placed = changed.filter((cell) => !before.cells[cell] && now.cells[cell]);
      const centre = placed.length === 1 ? placed[0] : null;
      const animations = { ...this.animations };
      for (const cell of changed) animations[cell] = this.animationOf(now, before, cell, centre);
      this.animations = animations;
    },
  },

  mounted() {
    this.listener = (event) => this.key(event);
    document.addEventListener("keydown", this.listener);
    this.typed = "";
  },
  unmounted() {
    document.removeEventListener("keydown", this.listener);
  },

  methods: {
    name(part) {
      return `fd-${this.number}-${part}`;
    },
    fill(side) {
      return `url(#${this.name(side)})`;
    },
    x(cell) {
      return this.left + ((cell % this.view.columns) + 0.5) * CELL;
    },
    y(cell) {
      return this.top + (Math.floor(cell / this.view.columns) + 0.5) * CELL;
    },
    cross(cell) {
      const [x, y] = [this.x(cell), this.y(cell)];
      return `M${x - 17} ${y - 17}l34 34m0 -34l-34 34`;
    },
    label(mark, cell) {
      const [column, row] = [cell % this.view.columns, Math.floor(cell / this.view.columns)];
      const name = this.isDrop
        ? this.labels.cell.replace("{column}", COLUMNS[column]).replace("{row}", this.view.rows - row)
        : `${String.fromCharCode(97 + column)}${row + 1}`;
      const held = this.labels[this.view.kind][mark] ?? this.labels[mark || "empty"];
      const move = this.active && !this.editing && this.moveAt[cell];
      return move ? `${name} ${held}, ${this.labels.move} ${move}` : `${name} ${held}`;
    },
    compact(count) {
      return count < 1000 ? String(count) : count < 1e6 ? `${(count / 1e3).toFixed(count < 1e4 ? 1 : 0)}k` : `${(count / 1e6).toFixed(1)}M`;
    },

    animationOf(now, before, cell, centre) {
      // How a disc changed: flipped, fell, or was placed.
      const [from, side] = [before.cells[cell], now.cells[cell]];
      if (!side) return {};
      if (from === "first" || from === "second") {
        const away = centre === null ? 0 : Math.max(Math.abs((cell % now.columns) - (centre % now.columns)), Math.abs(Math.floor(cell / now.columns) - Math.floor(centre / now.columns)));
        return { at: now.version, name: "fd-flip", from, style: { "--wait": `${away * FLIP_STAGGER}ms` } };
      }
      if (now.kind === "connect4" && cell === centre) {
        const rows = Math.floor(cell / now.columns) + 1;
        return { at: now.version, name: "fd-fall", style: { "--from": `${-rows * CELL}px`, "--time": `${Math.round(FALL_TIME * Math.sqrt(rows) + 120)}ms` } };
      }
      return { at: now.version, name: "fd-place" };
    },

    landingCell(cell) {
      // The cell that a click on `cell` plays: itself, or the lowest free one of its column.
      if (this.isDrop) return this.byColumn[cell % this.view.columns];
      return this.moveAt[cell] === undefined ? undefined : cell;
    },
    enter(cell, event) {
      // While a position is set up, dragging paints every cell that it touches.
      this.hovered = cell;
      if (!this.editing || event.buttons !== 1) return;
      if (this.pressed !== null && this.pressed !== cell) this.$emit("paint", this.pressed);
      this.pressed = null;
      this.$emit("paint", cell);
    },
    click(cell) {
      if (this.editing) this.$emit("cell", cell);
      else if (this.active) this.play(this.landingCell(cell));
    },
    play(cell) {
      if (cell !== undefined && cell !== null) this.$emit("move", this.moveAt[cell]);
    },

    key(event) {
      const focus = document.activeElement;
      const writes = focus && (TEXT_FIELDS.includes(focus.tagName.toLowerCase()) || focus.isContentEditable);
      if (!this.keyboard || writes || event.altKey || event.metaKey || document.querySelector(".q-dialog")) return;
      if (event.ctrlKey) {
        const step = { z: -1, y: 1 }[event.key];
        if (step) this.consume(event, () => this.$emit("undo", step));
        return;
      }
      const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      const jump = { Home: "first", End: "last" }[event.key];
      const onBoard = focus && this.$el.contains(focus);
      if (this.history && jump) this.consume(event, () => this.$emit("step", jump));
      else if (this.history && arrow && arrow[0] && !onBoard) this.consume(event, () => this.$emit("step", arrow[0]));
      else if (arrow && onBoard) this.consume(event, () => this.moveCursor(...arrow));
      else if (this.editing && onBoard && (event.key === "Enter" || event.key === " "))
        this.consume(event, () => this.click(this.cursor));
      else if (this.editing || !this.active) return;
      else if (arrow && !this.history) this.consume(event, () => this.moveCursor(...arrow));
      else if ((event.key === "Enter" || event.key === " ") && this.cursor !== null && (!focus || focus === document.body || onBoard))
        this.consume(event, () => this.play(this.landingCell(this.cursor)));
      else if (event.key.length === 1) this.typeKey(event.key.toLowerCase());
    },
    consume(event, action) {
      event.preventDefault();
      action();
    },
    moveCursor(right, down) {
      const { columns, rows } = this.view;
      if (this.isDrop && down > 0 && this.cursor !== null && this.active) return this.play(this.landingCell(this.cursor));
      this.hovered = null;
      if (this.cursor === null) return this.focusCell(this.tabStop);
      const column = (this.cursor % columns) + right;
      const row = Math.floor(this.cursor / columns) + (this.isDrop ? 0 : down);
      if (column >= 0 && column < columns && row >= 0 && row < rows) this.focusCell(row * columns + column);
    },
    focusCell(cell) {
      // Screen readers read the cell that has the focus.
      this.$el.querySelector(`[data-cell="${cell}"]`).focus({ preventScroll: true });
    },
    typeKey(character) {
      // Connect Four: the name of a column; Othello: a letter and a digit.
      if (this.isDrop) {
        this.play(this.byColumn[COLUMNS.indexOf(character)]);
        return;
      }
      this.typed = /[a-h]/.test(character) ? character : this.typed + character;
      const found = this.view.legal.find((m) => m.move === this.typed);
      if (found) this.play(found.cell);
      if (!/^[a-h]$/.test(this.typed)) this.typed = "";
    },
  },
};
