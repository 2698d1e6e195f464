//! Robots (7.3).

use super::event::Event;
use super::geometry::{Space, Spaces};
use super::pieces::{Robot, RobotDie};
use super::state::{Battle, Stage};
use crate::cx::{Audience, Cx};

impl Battle {
    /// Where a robot can be installed: any excavated space without a die, be it room, AA gun or
    /// tunnel.
    pub(super) fn robot_spaces(&self) -> Spaces {
        let free = |space: &Space| self.die_on(*space).is_none() && self.robot_on(*space).is_none();
        self.excavated().iter().filter(free).collect()
    }

    /// Opens the decision where a robot goes, or settles it if there is nothing to choose.
    pub(super) fn choose_robot_space(&mut self, stage: Stage, cx: &mut Cx<'_, Event>) {
        self.stage = stage;
        let spaces = self.robot_spaces();
        let mut choices = spaces.iter();
        match (choices.next(), choices.next()) {
            (Some(_), Some(_)) => {}
            (Some(space), None) => self.install_robot(space, cx),
            // Without a space the robot is lost.
            (None, _) => match stage {
                Stage::StartRobot { robot, nth, .. } => {
                    cx.tell(Audience::All, || Event::RobotRemoved { robot });
                    self.install_start_robot(nth + 1, cx);
                }
                Stage::Install { robot, .. } => {
                    cx.tell(Audience::All, || Event::RobotRemoved { robot });
                    self.stage = Stage::Rooms;
                }
                _ => debug_assert!(false, "no robot to install"),
            },
        }
    }

    /// The robot takes its place. It moves no ship (R33). One that was built now works from the
    /// next round on (R32).
    pub(super) fn install_robot(&mut self, space: Space, cx: &mut Cx<'_, Event>) {
        match self.stage {
            Stage::StartRobot { robot, value, nth } => {
                self.put_robot(
                    robot,
                    Robot {
                        value,
                        space,
                        exhausted: false,
                    },
                    cx,
                );
                self.install_start_robot(nth + 1, cx);
            }
            Stage::Install { robot, value } => {
                self.put_robot(
                    robot,
                    Robot {
                        value,
                        space,
                        exhausted: true,
                    },
                    cx,
                );
                self.stage = Stage::Rooms;
            }
            _ => debug_assert!(false, "no robot to install"),
        }
    }

    fn put_robot(&mut self, die: RobotDie, robot: Robot, cx: &mut Cx<'_, Event>) {
        self.robots[usize::from(die.index())] = Some(robot);
        let Robot { value, space, .. } = robot;
        cx.tell(Audience::All, || Event::RobotInstalled {
            robot: die,
            space,
            value,
        });
    }

    /// The robot leaves the board.
    pub(super) fn remove_robot(&mut self, robot: RobotDie, cx: &mut Cx<'_, Event>) {
        self.robots[usize::from(robot.index())] = None;
        cx.tell(Audience::All, || Event::RobotRemoved { robot });
    }

    /// A robot has worked in a room: it is exhausted and, unless it keeps its value, loses 1; at 0
    /// it leaves (R35).
    pub(super) fn use_robot(&mut self, die: RobotDie, keeps_value: bool, cx: &mut Cx<'_, Event>) {
        let Some(mut robot) = self.robot(die) else {
            return;
        };
        robot.exhausted = true;
        if !keeps_value {
            robot.value -= 1;
        }
        let value = robot.value;
        self.robots[usize::from(die.index())] = (value > 0).then_some(robot);
        cx.tell(Audience::All, || Event::RobotUsed { robot: die, value });
    }
}
