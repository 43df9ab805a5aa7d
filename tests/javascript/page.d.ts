// What the pages' scripts pass to each other; none of it is served.

declare namespace Page {
  /** A move of the game, as the API takes it. */
  type Move = Record<string, unknown>;
  /** Make a move in the state *seq*; whether it went through, null where a rule of the game forbids it. */
  type Send = (made: Move, seq?: number) => Promise<boolean | null>;
  /** What of the state is filled in on any phone. */
  type Entry = Api.Snapshot["entries"][number];
  /** A step of what to do now. */
  type Todo = Api.GuideStep;
  type Step = Api.Snapshot["steps"][number];
  /** A part of the page that only some games need. */
  interface Part {
    wanted(state: Api.Snapshot): boolean;
    boxes: string[];
    style?: string;
    /** Fetch what draws it. */
    load(): Promise<(state: Api.Snapshot, send: Send | null) => void>;
    there?: (state: Api.Snapshot, send: Send | null) => void;
    coming?: Promise<void> | null;
  }
  /** A line of a tape: who plays, an edge, a gap, levels at the start, or an arming. */
  /** How pieces look. */
  type Drawn = "cards" | "tiles";
  /** Nanoseconds in a unit, and its name. */
  type Unit = [number, string];
  /** Attributes; a function listens to the event of its name. */
  type Props = Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>;
  /** Set a line to a level, at a time stamp of the page. */
  type Drive = (line: string, level: number, stamp_ms: number) => void;
  /** A row as noses need it. */
  /** What a tap was made with. */
  type TouchKind = "touch" | "key" | "mouse";
  type Nose = Pick<Api.PlayerRow, "line" | "seat" | "player" | "held" | "out" | "pressed"> &
    Partial<Lettered & Pick<Api.PlayerRow, "locked">>;
  /** A row as its letters are drawn. */
  type Lettered = Pick<Api.PlayerRow, "word" | "letters" | "new">;
  /** Who is being set up: a name, and a nose once it is bound. */
  type Person = { id: number; name: string; line: string | null; guest?: string; phone?: boolean };
  type Draft = {
    game: string;
    people: Person[];
    options: Record<string, Options>;
    rearm_s: number | null;
  };
  /** Options of a game by their keys. */
  type Options = Record<string, unknown>;

  /** What the details of a ± are told: of what, where they lead back to, and the round's number in the log. */
  type Doubted = { finish: Api.PhotoFinish; name: string; seq: number };

  /** What a photo finish is told. */
  type FinishData = {
    finish: Api.PhotoFinish | null;
    decided?: boolean;
    idle?: string;
    seats?: number;
    reserve?: boolean;
  };
  type FinishElement = HTMLElement & { data: FinishData };
  /** A seat on the strip: who pressed, or has not. */
  type Seat = { seat: number; player: string; last: boolean };
  /** What is to be placed: wanted middle and width. */
  type Box = { x: number; w: number };
  type Bounds = { lo: number; hi: number; levels: number; gap: number };
  type Label = { mark: Seat; name: string; at: number; w: number; size?: number };
  /** A kind of aside where its legend stands. */
  type Legend = { kind: string; name: string; x: number };
  /** What the parts of a photo finish draw on. */
  interface Strip {
    readonly em: number;
    readonly width: number;
    readonly pad: number;
    /** How far names above the axis may reach to the right. */
    readonly reach: number;
    readonly close: Api.Mark[];
    /** The margin, as it stands between the last two. */
    readonly gap: string;
    readonly dead_heat: boolean;
    readonly asides: Api.Aside[];
    readonly legend: Legend[][];
    x(ns: number): number;
    /** Half the width of a mark's band, in ns. */
    halfOf(mark: Api.Mark): number;
    measure(words: string, size: number, weight: number): number;
    fit(name: string, room: number, size: number): string;
    word(style: string, x: number, y: number, words: string, anchor: string, size: number): SVGElement;
    drawLabel(svg: SVGElement, label: Label, y: number, bare?: boolean): void;
  }

  /** What this phone writes of one hand: pieces tapped, and the half that is being tapped. */
  type Tapped = { pieces: string[]; half: number | null };
  /** A cell that is being written. */
  type Writing = Tapped & {
    game: number | undefined;
    hand: number;
    seat: number;
    player: string;
    began: string; // what they were called when this was begun
    sent?: boolean;
    fixes?: undefined;
  };
  /** A hand that is being corrected: numbers typed and pieces tapped by seat, the seat that is tapped for, marks. */
  type Correcting = {
    game: number | undefined;
    hand: number;
    seat: number;
    fixes: Map<number, string>;
    cards: Map<number, Tapped>;
    tap: number | null;
    marks: string[] | null;
    was: Api.SheetRow; // the hand as it was when its correction was begun
    sat: string[]; // whose each seat is
    news?: string; // what was said of others' changes
    sent?: boolean;
  };
}
