// Made by tools/api_types.py from the description of the API; do not change it by hand.

declare namespace Api {
  interface Added {
    to: string[];
    cards: string[];
  }

  interface Advice {
    sentences: string[];
    packs: number;
    ranks: string[];
    cards: number;
    each: number;
    dealer: number | null;
    remove: Card[];
    title: string | null;
  }

  interface AgreeCommand {
    type: "agree";
    options: Record<string, Free>;
  }

  interface AmendCommand {
    type: "amend";
    seq: number;
    move: Record<string, Free>;
    over?: number | null;
  }

  interface Answer {
    word: "back" | "leave" | "no" | "nothing" | "skip" | "stop" | "yes";
  }

  interface Appeal {
    confirm_us: number;
    lockout_us: number;
  }

  interface Appealed {
    round: RoundView;
    stored: RoundView;
  }

  interface ArmCommand {
    type: "arm";
    seq?: number | null;
  }

  interface Aside {
    kind: string;
    t_ns: number;
    u_ns: number;
    cradle: number;
    seat: number;
    player: string;
  }

  interface BindCommand {
    type: "bind";
    player: number | null;
  }

  interface Budget {
    u_ns: number;
    shares: Share[];
    shown: string;
    says: string;
    notes: string[];
    zero: string | null;
  }

  interface Card {
    rank: string;
    suit: string;
  }

  interface Cell {
    points?: number | null;
    total?: number | null;
    pieces?: string[];
    notes?: string[];
    seq?: number;
    by?: string;
  }

  interface CellWish {
    points?: number | null;
    pieces?: string[] | null;
    anyway?: string;
  }

  interface ChangeWish {
    type: "amend" | "play" | "redo" | "undo";
    seq?: number | null;
    move?: Record<string, Free> | null;
  }

  interface Choice {
    value: number | string | boolean;
    label: string;
    explain: string | null;
  }

  interface Choose {
    ask: "choose";
    move: string;
    label: string;
    explain: string | null;
    choices: Choice[];
    quick: boolean;
    side: number;
    within_s: number;
    overdue: string;
  }

  interface ChooseCard {
    ask: "cards";
    move: string;
    label: string;
    explain: string;
    cards: Card[];
  }

  interface ChooseSeat {
    move: string;
    label: string;
    explain: string;
    seats: number[];
    instead: boolean;
    prompt: string | null;
    within_s: number;
  }

  interface Clock {
    kind: "answer" | "buzz" | "prompt";
    left_s: number;
    of_s: number;
    says: string;
  }

  interface ClockTime {
    t_ns: number;
  }

  interface Close {
    seq: number;
    game: number;
    number: number;
    rival: string;
    last: string;
    margin_ns: number;
    u_ns: number;
    margin_text?: string | null;
    u_text?: string | null;
    in_short?: string | null;
  }

  interface CloseQuestion {
    move: string;
    label: string;
    explain: string;
  }

  interface Colour {
    name: string;
    fill: string;
    stripe: string | null;
  }

  type Command =
    | StartCommand
    | RegroupCommand
    | RenameCommand
    | ImportCommand
    | ArmCommand
    | LeaveOutCommand
    | VoidCommand
    | KeepCommand
    | ProtestCommand
    | TestZeroCommand
    | PlayCommand
    | AgreeCommand
    | UndoCommand
    | RedoCommand
    | AmendCommand
    | FinishCommand
    | SignOffCommand
    | NewEveningCommand
    | BindCommand
    | RearmCommand
    | SaveVariationCommand
    | DeleteVariationCommand;

  interface Contact {
    line: string;
    label: string;
    pin: string;
    where: string;
    colour: Colour | null;
  }

  interface ContractAnswer {
    lays: boolean;
    melds: string[][];
    discard: string | null;
    points_left: number;
    short: number;
    left: string[];
    draws: string[];
    added?: Added[];
    drawing?: boolean;
    lets?: number;
    unseen?: number;
  }

  interface CorrectHand {
    ask: "correct-hand";
    move: string;
    label: string;
    explain: string;
    hands: number[];
    least: number;
    step: number;
    drawn: "cards" | "tiles";
    pieces: string[];
    worth: number[];
    copies: number;
    marks: Choice[];
  }

  interface Cradle {
    number: number;
    line: string;
    used: boolean;
    lifted: boolean;
  }

  interface DealAdvice {
    packs: number;
    ranks: string[];
    cards: number;
    each: number;
    spoons: number | null;
    dealer: number | null;
    sentences: string[];
  }

  interface DeleteVariationCommand {
    type: "delete-variation";
    name: string;
  }

  interface DeviceChange {
    device: string;
    role?: "host" | "player" | "watcher" | null;
    name?: string | null;
    seat?: string | null;
    remove?: boolean;
  }

  interface DeviceList {
    devices: DeviceView[];
  }

  interface DeviceView {
    id: string;
    role: string;
    name: string;
    since: number;
    home: boolean;
    pages: number;
    mine: boolean;
    seat: number;
    rtt_ns: number;
    silent: boolean;
    wants: string;
  }

  interface DoorView {
    stands: string;
    hall?: string;
    number?: number;
    check?: string;
    says?: string | null;
  }

  interface Due {
    kind: "answer" | "decide" | "free" | "lay" | "play" | "settle";
    says: string;
  }

  interface Duty {
    seat: number;
    player: string;
    line: string;
    says: string;
    use: string | null;
    without: string | null;
  }

  interface EndGame {
    move: string;
    label: string;
    explain: string;
  }

  interface EnterScore {
    ask: "points";
    move: string;
    label: string;
    explain: string;
    hand: number;
    seats: number[];
    least: number;
    most: number;
    step: number;
    drawn: "cards" | "tiles";
    pieces: string[];
    worth: number[];
    noted: boolean;
  }

  interface Error {
    error: string;
    rule: string | null;
  }

  interface Fate {
    no: number;
    fate: "driven" | "lost" | "refused";
  }

  interface Figures {
    rounds: number;
    dead_heats: number;
    games: GameFigures[];
    players: PlayerFigures[];
    closest: Close[];
    evenings: number;
  }

  interface Finding {
    kind: string;
    lines: string[];
    says: string;
    remedy: string | null;
    failed: boolean;
    trace: Seen[];
  }

  interface FinishCommand {
    type: "finish";
    seq?: number | null;
  }

  interface FirstSteps {
    steps: GuideStep[];
    deals: string | null;
  }

  interface Foreseen {
    fits: boolean;
    says: string[];
    more: number;
  }

  type Free = unknown;

  interface FreedNose {
    line: string;
  }

  interface GameFigures {
    seq: number;
    number: number;
    game: string;
    title: string;
    players: string[];
    rounds: number;
    dead_heats: number;
    finished: boolean;
    winners: string[];
    losers: string[];
  }

  interface GameInfo {
    name: string;
    title: string;
    summary: string;
    emblem: string;
    watched: boolean;
    seats: SeatRange;
    crowd: string | null;
    on_phones: string[];
    options: OptionField[];
  }

  interface Games {
    games: GameInfo[];
  }

  interface Glance {
    rounds: number;
    dead_heats: number;
    players: PlayerGlance[];
    closest: Close | null;
  }

  interface Group {
    label: string;
    pieces: Piece[];
    missing: number;
  }

  interface GuestList {
    guests: ListedGuest[];
    removed?: string[];
    gone?: string[];
  }

  interface GuestView {
    id: string;
    name: string;
    device: string;
    line: string;
    host: boolean;
    plays: boolean;
    waits: boolean;
    leaving: boolean;
    held: boolean;
  }

  interface Guide {
    before: GuideStep[];
    then: GuideStep[];
    ready: string;
    now: string;
    proof: string[];
  }

  interface GuideStep {
    says: string;
    short: string;
    cards: Card[];
    more: string | null;
    stacks: boolean;
  }

  interface HallAddress {
    address: string;
  }

  interface HallView {
    number: number;
    title: string | null;
    call: string;
    players: string[];
    here: number[];
    says: string;
    link: string | null;
    signs: number;
    begun: number;
    match: number;
    settles: boolean;
    stuck: string[];
    typed: string;
  }

  interface HandPoints {
    points: number;
    game: string;
    pieces: string[];
  }

  interface Heard {
    fates: Fate[];
    t_ns: number;
    again_ms: number;
    replaced: boolean;
    said: string | null;
  }

  interface ImportCommand {
    type: "import";
    sheet: Record<string, Free>;
  }

  interface Joined {
    phone: string;
  }

  interface KeepCommand {
    type: "keep";
    seq: number;
    reason?: string;
  }

  interface Key {
    key: number | string;
    label: string;
    choices: Choice[];
  }

  interface Keypad {
    ask: "pad";
    move: string;
    label: string;
    explain: string;
    seat: number;
    keys: Key[];
    sign: string;
    laid: string[];
  }

  interface Lamp {
    seat: number;
    line: string;
    light: "blink" | "off" | "on";
  }

  interface LeaveOutCommand {
    type: "leave-out";
    seats: number[];
    seq?: number | null;
  }

  interface ListedGuest {
    name: string;
    id?: string;
  }

  interface LobbyView {
    guests: GuestView[];
    watching: number;
    starts: string;
  }

  interface Mark {
    seat: number;
    player: string;
    t_ns: number;
    u_ns: number;
    last: boolean;
    t_u_ns: number | null;
    after_ns: number | null;
    after_u_ns: number | null;
    t_text?: string | null;
    t_u_text?: string | null;
    u_text?: string | null;
    after_text?: string | null;
    after_u_text?: string | null;
  }

  interface MarkHand {
    ask: "of-hand";
    move: string;
    label: string;
    explain: string;
    hand: number;
  }

  interface Named {
    phone: string;
    name: string;
  }

  interface NearHall {
    address: string;
    title: string;
  }

  interface NearHalls {
    halls: NearHall[];
  }

  interface NewCell {
    points?: number | null;
    pieces?: string[] | null;
    anyway?: string;
    hand: number;
    seat: number;
  }

  interface NewEveningCommand {
    type: "new-evening";
    evening?: number | null;
  }

  interface NewSheet {
    game: string;
    players: string[];
    options?: Record<string, Free>;
  }

  interface OneRound {
    round: RoundView;
  }

  interface OptionField {
    key: string;
    kind: string;
    label: string;
    explain: string | null;
    default: number | string | boolean;
    choices: Choice[];
    only_if: [string, number | string | boolean] | null;
    rule: string;
    at_hand: boolean;
    least: number;
    most: number;
  }

  interface OwnSeat {
    id: string;
    name: string;
    line: string;
    waits: boolean;
    asks: boolean;
  }

  interface PackedTape {
    tape: string;
  }

  interface PageClock {
    page: string;
    leaves?: boolean;
    owns?: string;
    phone?: string;
    takes?: boolean;
    after?: string[];
    echo_ns?: number;
    held_ns?: number;
  }

  interface PhoneName {
    name: string;
  }

  interface PhotoFinish {
    marks: Mark[];
    missing: [number, string][];
    margin_ns: number | null;
    u_ns: number | null;
    dead_heat: boolean;
    asides: Aside[];
    budget: Budget | null;
    at_least_ns: number | null;
    closeness: "clear" | "close" | "too-close" | null;
    in_short: string | null;
    first: boolean;
    opener: string | null;
    rival: string | null;
    unseen: [number, string][];
    margin_text?: string | null;
    u_text?: string | null;
    at_least_text?: string | null;
  }

  interface Piece {
    name: string;
    stands_for: string;
  }

  interface Pin {
    pin: string;
  }

  interface PinTry {
    pin: string;
  }

  interface PlayCommand {
    type: "play";
    move: Record<string, Free>;
    seq?: number | null;
  }

  interface PlayerFigures {
    player: string;
    games: number;
    won: number;
    rounds: number;
    lost: number;
    asked: number;
    firsts: number;
    false_starts: number;
    dead_heats: number;
    letters: number;
    openings: number;
    reactions: Reaction[];
    best: Reaction | null;
    median_ns: number | null;
    median_u_ns: number | null;
    escapes: Close[];
    median_text?: string | null;
    median_u_text?: string | null;
  }

  interface PlayerGlance {
    player: string;
    rounds: number;
    lost: number;
    asked: number;
    firsts: number;
    after_us: number[];
    best: Reaction | null;
    median_ns: number | null;
    median_u_ns: number | null;
    median_text?: string | null;
    median_u_text?: string | null;
  }

  interface PlayerRow {
    seat: number;
    player: string;
    letters: string[];
    word: string[];
    out: boolean;
    score: number | null;
    place: number;
    new: boolean;
    dealer: boolean;
    winner: boolean;
    loser: boolean;
    held: boolean;
    pressed: boolean;
    phantom: boolean;
    early: boolean;
    locked: boolean;
    aside: boolean;
    line: string;
    notes: string[];
  }

  interface Players {
    players: string[];
    lines: string[];
    profile: string;
  }

  interface ProtestCommand {
    type: "protest";
    reason?: string;
    seq?: number | null;
  }

  interface Reaction {
    seq: number;
    after_ns: number;
    u_ns: number;
    after_text?: string | null;
    u_text?: string | null;
  }

  interface RearmCommand {
    type: "rearm";
    seconds: number | null;
  }

  interface RedoCommand {
    type: "redo";
    seq?: number | null;
  }

  interface RegroupCommand {
    type: "regroup";
    players: string[];
    seq?: number | null;
  }

  interface RenameCommand {
    type: "rename";
    player: string;
    name: string;
  }

  interface Reply {
    word: "back" | "leave" | "no" | "nothing" | "skip" | "stop" | "yes";
    says: string;
    key: string;
  }

  interface RoundEdges {
    edges: TapeEdge[];
    of: number;
    link: string;
  }

  interface RoundSaid {
    phase: string;
    headline: string;
    proof: string[];
  }

  interface RoundView {
    seq: number;
    number: number;
    game: number;
    at: number;
    headline: string;
    proof: string[];
    finish: PhotoFinish | null;
    void: boolean;
    amended: boolean;
    undone: boolean;
    title: string | null;
    step: boolean;
    judged: boolean;
    by: string | null;
    contested: boolean;
    protested: boolean;
    undecided: boolean;
    winners: string[];
    held: number;
    players: string[];
    seated: number;
    typed: Record<string, Free> | null;
    question: "first" | "last";
  }

  interface Rounds {
    rounds: RoundView[];
  }

  interface RulesAnswer {
    good: boolean;
    says: string;
    rule: string;
    lines: string[];
    groups: Group[];
  }

  interface RulesQuery {
    ask: "rules-query";
    about: string;
    label: string;
    explain: string;
    hand: number;
    drawn: "cards" | "tiles";
    pieces: string[];
    copies: number;
    most: number;
    by_hand: string[][];
    lying: string | null;
  }

  interface SaveVariationCommand {
    type: "save-variation";
    name: string;
    game: string;
    options?: Record<string, Free>;
  }

  interface SeatPhone {
    line: string;
    state: "asleep" | "awake" | "missing" | "silent";
    rtt_ns: number;
    shared: boolean;
    page: string;
    u_ns: number;
    wire_u_ns: number;
    tested: [number, number] | null;
    lost: boolean;
    untested: string[];
    untied: string[];
    phone: string;
    refused_ns: number | null;
    clock_u_ns: number;
    sure_ns: number;
    late: boolean;
    clock_text?: string | null;
    sure_text?: string | null;
  }

  interface SeatRange {
    fewest: number;
    most: number;
  }

  interface SeatWish {
    name?: string;
    at?: number;
  }

  interface Seats {
    phones: SeatPhone[];
  }

  interface Seen {
    t_ns: number;
    line: string;
    level: number;
  }

  interface SelfTestView {
    version: number;
    step: "contact" | "done" | "lamps" | "rest" | "screen" | "sounds" | "tied" | "wired";
    number: number;
    of: number;
    prompt: string;
    hints: string[];
    contact: Contact | null;
    choices: Reply[];
    lines: Tested[];
    spares: Tested[];
    findings: Finding[];
    lamps: Lamp[];
    signals: (
      | "armed"
      | "dead-heat"
      | "decided"
      | "letter"
      | "opened"
      | "side-1"
      | "side-2"
      | "side-3"
      | "side-4"
      | "side-5"
      | "side-6"
      | "side-7"
      | "side-8"
      | "tick"
      | "time"
      | "too-early"
      | "wrong"
    )[];
    signalled: number;
    picture: boolean;
    passed: boolean | null;
    simulated: boolean;
    profile: string;
  }

  interface Share {
    kind: string;
    name: string;
    how: string;
    u_ns: number;
    shown: string;
  }

  interface Sheet {
    players: string[];
    lines: SheetRow[];
    totals: number[];
    leaders: number[];
    behind: number[];
    cannot_win: number[];
    writers: Record<string, string>;
    highest: boolean;
    open_end: boolean;
    plain: boolean;
    left: string | null;
    ranks: SheetRank[];
  }

  interface SheetFile {
    sheet: number;
    game: string;
    players: string[];
    options: Record<string, Free>;
    moves: Record<string, Free>[];
    by?: string[];
  }

  interface SheetNow {
    version: number;
    game: string;
    title: string;
    options: Record<string, Free>;
    headline: string;
    sheet: Sheet;
    entries: (Keypad | EnterScore | MarkHand | Tokens | CorrectHand)[];
  }

  interface SheetRank {
    seat: number;
    place: number;
    total: number;
  }

  interface SheetRow {
    hand: number;
    title: string;
    picture: string;
    dealer: number | null;
    starter: number | null;
    cells: Cell[];
    complete: boolean;
    current: boolean;
    notes: string[];
    marks: string[];
    hint: string | null;
  }

  interface Show {
    ask: "show";
    title: string;
    lines: string[];
    cards: Card[];
  }

  interface SignOffCommand {
    type: "sign-off";
  }

  interface Snapshot {
    version: number;
    seq: number;
    evening: number;
    phase: string;
    simulated: boolean;
    headline: string;
    proof: string[];
    game: string;
    title: string | null;
    game_no: number;
    round_no: number;
    rows: PlayerRow[];
    finish: PhotoFinish | null;
    advice: Advice | null;
    notes: string[];
    guide: Guide | null;
    last_round: RoundSaid | null;
    told: RoundSaid | null;
    early: string | null;
    duty: Duty | null;
    due: Due | null;
    dealt: boolean;
    dealing: boolean;
    acts: ChooseSeat[];
    steps: (Show | Choose | ChooseCard)[];
    ruling: Choose | null;
    ruled: string;
    closing: CloseQuestion | null;
    ending: EndGame | null;
    clock: Clock | null;
    ready: string | null;
    stage_word: string | null;
    ties: TieBreak[];
    hushed: boolean;
    entries: (Keypad | EnterScore | MarkHand | Tokens | CorrectHand)[];
    rules_queries: RulesQuery[];
    sheet: Sheet | null;
    watched: boolean;
    comings: string | null;
    waits: boolean;
    voidable: boolean;
    protestable: number;
    touched: boolean;
    rack: Cradle[];
    emblem: string;
    on_phones: string[];
    all_on_phones: boolean;
    options: Record<string, Free>;
    lamps: Lamp[];
    signals: (
      | "armed"
      | "dead-heat"
      | "decided"
      | "letter"
      | "opened"
      | "side-1"
      | "side-2"
      | "side-3"
      | "side-4"
      | "side-5"
      | "side-6"
      | "side-7"
      | "side-8"
      | "tick"
      | "time"
      | "too-early"
      | "wrong"
    )[];
    question: "first" | "last";
    signalled: number;
    contest: Step | null;
    undo: Step | null;
    redo: Step | null;
    undos: Record<string, Step>;
    redos: Record<string, Step>;
    rearms_in_ns: number | null;
    binding: number | null;
    bindings: Record<string, string>;
    phones: SeatPhone[];
    zero: ZeroView | null;
    hall: HallView | null;
    lobby: LobbyView;
    faults: string[];
    stage: string;
    stage_says: string | null;
    last: number[];
    first: number[];
  }

  interface StartCommand {
    type: "start";
    game: string;
    players: string[];
    options?: Record<string, Free>;
    lines?: string[] | null;
    rearm_s?: number | null;
    call?: string;
    teams?: number[][];
    seq?: number | null;
  }

  interface State {
    state: Snapshot;
  }

  interface Step {
    seq: number;
    says: string;
  }

  interface Tap {
    line: string;
    level: number;
    t_ns: number;
    kind?: "key" | "mouse" | "touch";
    no?: number;
    u_ns?: number;
  }

  interface TapeEdge {
    kind: "armed" | "edge" | "gap" | "levels";
    t_ns: number;
    source: string;
    line: string;
    player: string;
    level: number;
    u_ns: number | null;
    until_ns: number | null;
    held: string[];
    t_text?: string | null;
    u_text?: string | null;
  }

  interface Taps {
    page: string;
    clock_u_ns: number;
    taps: Tap[];
    promised_ns?: number | null;
    upto?: number;
    answered?: number;
    leaves?: boolean;
    n?: number;
    epoch?: number;
    echo_ns?: number;
    held_ns?: number;
  }

  interface TestZeroCommand {
    type: "test-zero";
    lines: [string, string] | null;
  }

  interface Tested {
    contact: Contact;
    away: boolean;
    outcome:
      | "bouncing"
      | "bouncy"
      | "bridged"
      | "crosstalk"
      | "ok"
      | "silent"
      | "skipped"
      | "slow"
      | "stuck"
      | "weak"
      | "wrong"
      | null;
    says: string | null;
  }

  interface TieBreak {
    game: string;
    players: string[];
    lines: string[];
    says: string;
  }

  interface TokenCount {
    seat: number;
    left: number;
    of: number;
    holds: string;
    open: boolean;
  }

  interface Tokens {
    ask: "tokens";
    move: string;
    label: string;
    explain: string;
    hand: number;
    purses: TokenCount[];
  }

  interface UndoCommand {
    type: "undo";
    seq?: number | null;
  }

  interface Variation {
    name: string;
    game: string;
    options: Record<string, Free>;
  }

  interface Variations {
    variations: Variation[];
  }

  interface VoidCommand {
    type: "void";
    reason?: string;
    under_way?: boolean;
    seq?: number | null;
  }

  interface ZeroView {
    lines: [string, string];
    off_ns: number[];
    u_ns: number;
    missed: number;
    of: number;
    at: number;
    says: string | null;
    claim: string | null;
    by_hand: boolean;
    u_text?: string | null;
    most_text?: string | null;
  }

  interface Answers {
    "/api/v1/clock": ClockTime;
    [path: `/api/v1/clock?${string}`]: ClockTime;
    "/api/v1/commands": State;
    [path: `/api/v1/commands?${string}`]: State;
    "/api/v1/contract": ContractAnswer;
    [path: `/api/v1/contract?${string}`]: ContractAnswer;
    "/api/v1/deal": DealAdvice;
    [path: `/api/v1/deal?${string}`]: DealAdvice;
    "/api/v1/devices": DeviceList;
    [path: `/api/v1/devices?${string}`]: DeviceList;
    "/api/v1/export.json": Record<string, Free>;
    [path: `/api/v1/export.json?${string}`]: Record<string, Free>;
    "/api/v1/games": Games;
    [path: `/api/v1/games?${string}`]: Games;
    "/api/v1/guide": FirstSteps;
    [path: `/api/v1/guide?${string}`]: FirstSteps;
    "/api/v1/hall": DoorView;
    [path: `/api/v1/hall?${string}`]: DoorView;
    "/api/v1/hall/leave": DoorView;
    [path: `/api/v1/hall/leave?${string}`]: DoorView;
    "/api/v1/hall/near": NearHalls;
    [path: `/api/v1/hall/near?${string}`]: NearHalls;
    "/api/v1/join": Joined;
    [path: `/api/v1/join?${string}`]: Joined;
    "/api/v1/judge": Rounds;
    [path: `/api/v1/judge?${string}`]: Rounds;
    "/api/v1/leave": OwnSeat;
    [path: `/api/v1/leave?${string}`]: OwnSeat;
    "/api/v1/lobby": LobbyView;
    [path: `/api/v1/lobby?${string}`]: LobbyView;
    "/api/v1/openapi.json": Record<string, Free>;
    [path: `/api/v1/openapi.json?${string}`]: Record<string, Free>;
    "/api/v1/phone": Named;
    [path: `/api/v1/phone?${string}`]: Named;
    "/api/v1/phones/free": Seats;
    [path: `/api/v1/phones/free?${string}`]: Seats;
    "/api/v1/pin": Pin;
    [path: `/api/v1/pin?${string}`]: Pin;
    "/api/v1/players": Players;
    [path: `/api/v1/players?${string}`]: Players;
    "/api/v1/points": HandPoints;
    [path: `/api/v1/points?${string}`]: HandPoints;
    "/api/v1/preview": Foreseen;
    [path: `/api/v1/preview?${string}`]: Foreseen;
    "/api/v1/rounds": Rounds;
    [path: `/api/v1/rounds?${string}`]: Rounds;
    [path: `/api/v1/rounds/${number}`]: OneRound;
    [path: `/api/v1/rounds/${number}?${string}`]: OneRound;
    [path: `/api/v1/rounds/${number}/appeal`]: Appealed;
    [path: `/api/v1/rounds/${number}/appeal?${string}`]: Appealed;
    [path: `/api/v1/rounds/${number}/edges`]: RoundEdges;
    [path: `/api/v1/rounds/${number}/edges?${string}`]: RoundEdges;
    "/api/v1/seat": OwnSeat;
    [path: `/api/v1/seat?${string}`]: OwnSeat;
    "/api/v1/selftest": SelfTestView;
    [path: `/api/v1/selftest?${string}`]: SelfTestView;
    "/api/v1/selftest/report.json": string;
    [path: `/api/v1/selftest/report.json?${string}`]: string;
    "/api/v1/sheet": SheetNow;
    [path: `/api/v1/sheet?${string}`]: SheetNow;
    "/api/v1/sheet.json": SheetFile | SheetNow;
    [path: `/api/v1/sheet.json?${string}`]: SheetFile | SheetNow;
    "/api/v1/sheet/cells": SheetNow;
    [path: `/api/v1/sheet/cells?${string}`]: SheetNow;
    [path: `/api/v1/sheet/cells/${number}/${number}`]: Cell | SheetNow;
    [path: `/api/v1/sheet/cells/${number}/${number}?${string}`]: Cell | SheetNow;
    "/api/v1/sheet/options": SheetNow;
    [path: `/api/v1/sheet/options?${string}`]: SheetNow;
    "/api/v1/sheet/rules-query": RulesAnswer;
    [path: `/api/v1/sheet/rules-query?${string}`]: RulesAnswer;
    "/api/v1/state": Snapshot;
    [path: `/api/v1/state?${string}`]: Snapshot;
    "/api/v1/statistics": Figures;
    [path: `/api/v1/statistics?${string}`]: Figures;
    "/api/v1/statistics/all": Figures;
    [path: `/api/v1/statistics/all?${string}`]: Figures;
    "/api/v1/statistics/glance": Glance;
    [path: `/api/v1/statistics/glance?${string}`]: Glance;
    "/api/v1/taps": Heard;
    [path: `/api/v1/taps?${string}`]: Heard;
    "/api/v1/variations": Variations;
    [path: `/api/v1/variations?${string}`]: Variations;
  }
}

declare namespace Hall {
  interface AddPeople {
    type: "add-people";
    written: string;
  }

  interface AddPerson {
    type: "add-person";
    person: Person;
  }

  interface Announce {
    type: "announce";
    says: string;
  }

  interface AppealView {
    number: number;
    round: RoundView;
    again: string;
    upheld: boolean;
    tape: string;
  }

  interface Arrange {
    type: "arrange";
    arrangement: Arrangement;
  }

  interface Arrangement {
    name: string;
    game?: string;
    options?: Record<string, Free>;
    format?: string;
    rounds?: number;
    tables?: number;
    most?: number;
    final?: number;
    final_options?: Record<string, Free>;
    late?: string;
    minutes?: number;
  }

  interface Aside {
    kind: string;
    t_ns: number;
    u_ns: number;
    cradle: number;
    seat: number;
    player: string;
  }

  interface Bracket {
    rounds: BracketRound[];
  }

  interface BracketPerson {
    name: string;
    place?: number;
    on?: number;
  }

  interface BracketRound {
    title: string;
    tables: BracketTable[];
  }

  interface BracketTable {
    number: number;
    people: BracketPerson[];
    open?: boolean;
  }

  interface Budget {
    u_ns: number;
    shares: Share[];
    shown: string;
    says: string;
    notes: string[];
    zero: string | null;
  }

  interface CallRound {
    type: "call-round";
  }

  interface Category {
    kind: string;
    title: string;
    lines: PrizeLine[];
  }

  interface Clear {
    type: "clear";
    round: number;
    number: number;
    mark?: string;
  }

  interface CloseList {
    type: "close-list";
    closed?: boolean;
  }

  interface Decide {
    type: "decide";
    appeal: number;
    decision: string;
    reason: string;
  }

  interface Done {
    seq: number;
    at: number;
    who: string;
    says: string;
    back: boolean;
  }

  interface Draw {
    type: "draw";
  }

  interface Error {
    error: string;
    rule: string | null;
  }

  type Free = unknown;

  interface HallAnswer {
    state: HallScreen;
    says?: string | null;
  }

  interface HallDone {
    entries: Done[];
  }

  interface HallFinish {
    round: number;
    number: number;
    entry: number;
    says: string;
    finish: PhotoFinish;
    letter?: string;
  }

  interface HallScreen {
    version: number;
    seq: number;
    event: string;
    name: string;
    headline: string;
    step: string;
    step_says: string;
    ready: boolean;
    tables?: TablePicture[];
    todos?: Todo[];
    standings?: Ranked[];
    people?: ListedPerson[];
    rounds?: RoundPicture[];
    arrangement?: Record<string, Free>;
    game?: string | null;
    format?: string | null;
    says?: string;
    engine?: string | null;
    closest?: string | null;
    newest?: HallFinish | null;
    over?: boolean;
    sheet?: boolean;
    list_closed?: boolean;
  }

  interface HallSeat {
    entrant: number;
    name: string;
    out?: boolean;
    last?: boolean;
    winner?: boolean;
    here?: boolean;
  }

  interface HallWish {
    command:
      | Arrange
      | AddPeople
      | AddPerson
      | Rewrite
      | Leave
      | Return
      | Draw
      | CallRound
      | Pause
      | Announce
      | CloseList
      | TypeResult
      | Clear
      | PlayAgain
      | SeeChange
      | Object
      | Decide
      | PutTableOut
      | TakeBack
      | Renew;
    seen?: number | null;
    opened?: number | null;
  }

  interface Invitation {
    code: string;
    address: string;
    line: string;
    qr: string;
  }

  interface Joined {
    phone: string;
  }

  interface Leave {
    type: "leave";
    entrants: number[];
  }

  interface LetIn {
    tables: string[];
  }

  interface ListedPerson {
    entrant: number;
    name: string;
    club?: string;
    family?: string;
    guest?: boolean;
    there?: boolean;
    from_round?: number;
    tables?: number[];
    plain?: string;
    typed?: number[];
  }

  interface ListedSeat {
    name: string;
    table: number;
    seat: number;
    club?: string;
  }

  interface Mark {
    seat: number;
    player: string;
    t_ns: number;
    u_ns: number;
    last: boolean;
    t_u_ns: number | null;
    after_ns: number | null;
    after_u_ns: number | null;
    t_text?: string | null;
    t_u_text?: string | null;
    u_text?: string | null;
    after_text?: string | null;
    after_u_text?: string | null;
  }

  interface Matrix {
    rounds: string[];
    rows: MatrixRow[];
  }

  interface MatrixRow {
    entrant: number;
    name: string;
    place: number | null;
    total: number;
    cells: RoundPoints[];
    club?: string;
    shared?: boolean;
    decided?: string | null;
  }

  interface Named {
    phone: string;
    name: string;
  }

  interface Object {
    type: "appeal";
    number: number;
    entry: number;
    reason: string;
    table?: string;
  }

  interface Pause {
    type: "pause";
    stands?: boolean;
  }

  interface Person {
    name: string;
    club?: string;
    family?: string;
    guest?: boolean;
    born?: number;
  }

  interface PhoneName {
    name: string;
  }

  interface PhotoFinish {
    marks: Mark[];
    missing: [number, string][];
    margin_ns: number | null;
    u_ns: number | null;
    dead_heat: boolean;
    asides: Aside[];
    budget: Budget | null;
    at_least_ns: number | null;
    closeness: "clear" | "close" | "too-close" | null;
    in_short: string | null;
    first: boolean;
    opener: string | null;
    rival: string | null;
    unseen: [number, string][];
    margin_text?: string | null;
    u_text?: string | null;
    at_least_text?: string | null;
  }

  interface PinTry {
    pin: string;
  }

  interface PlayAgain {
    type: "play-again";
    round: number;
    number: number;
    reason: string;
    mark?: string;
  }

  interface PrizeLine {
    place: number;
    name: string;
    points: number;
    says?: string | null;
    members?: string[];
  }

  interface Prizes {
    categories: Category[];
  }

  interface PutTableOut {
    type: "put-out";
    number: number;
  }

  interface Ranked {
    entrant: number;
    name: string;
    place: number | null;
    points: number;
    rounds: number;
    club?: string;
    decided?: string | null;
  }

  interface Renew {
    type: "renew";
    of: number;
  }

  interface Return {
    type: "return";
    entrants: number[];
  }

  interface Rewrite {
    type: "rewrite";
    entrant: number;
    person: Person;
  }

  interface RoundPicture {
    number: number;
    kind: string;
    title: string;
    called?: boolean;
    called_at?: number;
    stands_s?: number | null;
    paused_s?: number;
  }

  interface RoundPoints {
    kind: string;
    table?: number;
    points?: number | null;
    place?: number;
    of?: number;
  }

  interface RoundView {
    seq: number;
    number: number;
    game: number;
    at: number;
    headline: string;
    proof: string[];
    finish: PhotoFinish | null;
    void: boolean;
    amended: boolean;
    undone: boolean;
    title: string | null;
    step: boolean;
    judged: boolean;
    by: string | null;
    contested: boolean;
    protested: boolean;
    undecided: boolean;
    winners: string[];
    held: number;
    players: string[];
    seated: number;
    typed: Record<string, Free> | null;
    question: "first" | "last";
  }

  interface SeeChange {
    type: "see-change";
    round: number;
  }

  interface Share {
    kind: string;
    name: string;
    how: string;
    u_ns: number;
    shown: string;
  }

  interface SheetLine {
    entrant: number;
    name: string;
    club?: string;
    place?: number | null;
    points?: number | null;
    letters?: number;
    deals?: number;
    why?: string | null;
  }

  interface TableAnswer {
    event: string;
    number: number;
    engine: string;
    spoilt: boolean;
  }

  interface TableAsks {
    table: string;
    key: string;
    name?: string;
  }

  interface TableComes {
    code: string;
    table: string;
    key: string;
    name?: string;
  }

  interface TableIsIn {
    event: string;
    number: number;
    engine: string;
  }

  interface TablePicture {
    number: number;
    id: string;
    state: string;
    there: boolean;
    have: number;
    n: number;
    seats?: HallSeat[];
    left?: number;
    says?: string | null;
    trouble?: string;
    appeal?: boolean;
    verdict?: number;
    judged_by?: string;
    simulated?: boolean;
    round?: number;
    inside?: boolean;
    sheet?: boolean;
    by_hand?: boolean;
    archived?: boolean;
  }

  interface TableSheet {
    round: number;
    title: string;
    number: number;
    state: string;
    lines?: SheetLine[];
    doubts?: string[];
    note?: string | null;
  }

  interface TableSheets {
    sheets: TableSheet[];
  }

  interface TakeBack {
    type: "take-back";
    of: number;
  }

  interface Todo {
    kind: string;
    number: number;
    says: string;
    why?: string | null;
    button?: string | null;
    command?: Record<string, Free> | null;
    round?: number;
    entry?: number;
    appeal?: number;
    table?: string;
    finish?: PhotoFinish | null;
    places?: string;
    other?: string | null;
    other_command?: Record<string, Free> | null;
  }

  interface TypeResult {
    type: "type-result";
    round: number;
    number: number;
    places: number[][];
    reason?: string;
  }

  interface WallList {
    title: string;
    seats: ListedSeat[];
  }

  interface WantedCode {
    renew?: boolean;
  }

  interface WhereScreen {
    version: number;
    seq: number;
    name: string;
    headline: string;
    step: string;
    rounds?: RoundPicture[];
    numbers?: number[];
    says?: string;
    arranged?: boolean;
    over?: boolean;
    sheet?: boolean;
    list_closed?: boolean;
  }

  interface Whereabouts {
    people: ListedPerson[];
    tables: TablePicture[];
    standings: Ranked[];
  }

  interface Answers {
    "/api/v1/hall/asks": TableAnswer;
    [path: `/api/v1/hall/asks?${string}`]: TableAnswer;
    "/api/v1/hall/bracket": Bracket;
    [path: `/api/v1/hall/bracket?${string}`]: Bracket;
    "/api/v1/hall/commands": HallAnswer;
    [path: `/api/v1/hall/commands?${string}`]: HallAnswer;
    "/api/v1/hall/done": HallDone;
    [path: `/api/v1/hall/done?${string}`]: HallDone;
    "/api/v1/hall/export.json": Record<string, Free>;
    [path: `/api/v1/hall/export.json?${string}`]: Record<string, Free>;
    "/api/v1/hall/here": WhereScreen;
    [path: `/api/v1/hall/here?${string}`]: WhereScreen;
    "/api/v1/hall/invitations": Invitation;
    [path: `/api/v1/hall/invitations?${string}`]: Invitation;
    "/api/v1/hall/join": Joined;
    [path: `/api/v1/hall/join?${string}`]: Joined;
    "/api/v1/hall/let-in": HallScreen;
    [path: `/api/v1/hall/let-in?${string}`]: HallScreen;
    "/api/v1/hall/matrix": Matrix;
    [path: `/api/v1/hall/matrix?${string}`]: Matrix;
    "/api/v1/hall/openapi.json": Record<string, Free>;
    [path: `/api/v1/hall/openapi.json?${string}`]: Record<string, Free>;
    "/api/v1/hall/person": Person;
    [path: `/api/v1/hall/person?${string}`]: Person;
    "/api/v1/hall/phone": Named;
    [path: `/api/v1/hall/phone?${string}`]: Named;
    "/api/v1/hall/prizes": Prizes;
    [path: `/api/v1/hall/prizes?${string}`]: Prizes;
    "/api/v1/hall/seats": WallList;
    [path: `/api/v1/hall/seats?${string}`]: WallList;
    "/api/v1/hall/sheet": TableSheet;
    [path: `/api/v1/hall/sheet?${string}`]: TableSheet;
    "/api/v1/hall/sheets": TableSheets;
    [path: `/api/v1/hall/sheets?${string}`]: TableSheets;
    "/api/v1/hall/state": HallScreen;
    [path: `/api/v1/hall/state?${string}`]: HallScreen;
    "/api/v1/hall/summary": WhereScreen;
    [path: `/api/v1/hall/summary?${string}`]: WhereScreen;
    "/api/v1/hall/tables": TableIsIn;
    [path: `/api/v1/hall/tables?${string}`]: TableIsIn;
    "/api/v1/hall/verdict": AppealView;
    [path: `/api/v1/hall/verdict?${string}`]: AppealView;
    "/api/v1/hall/where": Whereabouts;
    [path: `/api/v1/hall/where?${string}`]: Whereabouts;
  }
}
